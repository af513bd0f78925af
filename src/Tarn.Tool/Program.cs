using Tarn.Tool.Commands;

return ToolCommand.Invoke(args);

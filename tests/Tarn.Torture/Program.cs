using Tarn.Torture.Running;

return TortureCommand.Invoke(args);

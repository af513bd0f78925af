using Tarn.Analyzers.Field;

return await FieldCommand.Create().Parse(args).InvokeAsync();

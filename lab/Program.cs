using Tarn.Lab.Running;

return LabCommand.Create().Parse(args).Invoke();

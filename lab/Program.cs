using Tarn.Lab.Running;

return LabCommand.Invoke(args);

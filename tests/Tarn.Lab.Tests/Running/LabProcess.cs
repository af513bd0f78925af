using System.Diagnostics;
using Tarn.Lab.Running;

namespace Tarn.Lab.Tests.Running;

/// <summary>The lab as users start it: a process of its own, so that its folder and its console are its own too.</summary>
internal sealed record LabProcess(int ExitCode, string Output, string Error)
{
    public static async Task<LabProcess> Run(string directory, params string[] arguments)
    {
        var host = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        var start = new ProcessStartInfo(host, [typeof(LabCommand).Assembly.Location, .. arguments])
        {
            WorkingDirectory = directory,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync();
        var error = process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        return new LabProcess(process.ExitCode, await output, await error);
    }
}

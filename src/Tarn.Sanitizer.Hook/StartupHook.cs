using System;
using System.IO;
using System.Reflection;
using Tarn.Sanitizing;

/// <summary>
/// What the runtime calls before <c>Main</c> of each process that <c>tarn sanitize</c> started, directly or not. The runtime looks for
/// this name, outside of all namespaces, and ends a process in which it cannot load the assembly. So this one runs on every .NET.
/// </summary>
internal sealed class StartupHook
{
    private const int OldestMajor = 8;

    /// <summary>Never throws: the program is not to end because of what watches it.</summary>
    public static void Initialize()
    {
        try
        {
            if (Environment.GetEnvironmentVariable("TARN_SANITIZE_ROOT") is null || UserProcesses.IsSdk(AppContext.BaseDirectory))
            {
                return;
            }

            if (Environment.Version.Major < OldestMajor)
            {
                Refuse($"it runs on .NET {Environment.Version}, and only programs on .NET {OldestMajor} and later can be checked");
                return;
            }

            string folder = Path.GetDirectoryName(typeof(StartupHook).Assembly.Location)!;
            _ = Assembly.LoadFrom(Path.Combine(folder, "Tarn.Sanitizer.dll"))
                .GetType(nameof(StartupHook), throwOnError: true)!
                .GetMethod(nameof(Initialize))!
                .Invoke(null, null);
        }
        catch (Exception exception)
        {
            Console.Error.WriteLine($"tarn: this process is not checked: {exception}");
        }
    }

    /// <summary>As the sanitizer's own log of launches has it.</summary>
    private static void Refuse(string reason)
    {
        if (Environment.GetEnvironmentVariable("TARN_SANITIZE_REPORTS") is { Length: > 0 } folder)
        {
            using var process = System.Diagnostics.Process.GetCurrentProcess();
            File.AppendAllText(
                Path.Combine(folder, $"{process.Id}.launch"),
                $"{reason}\t{Environment.Version}\t{string.Join(" ", Environment.GetCommandLineArgs())}{Environment.NewLine}");
        }
        else
        {
            Console.Error.WriteLine($"tarn: this process is not checked: {reason}");
        }
    }
}

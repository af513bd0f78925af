using System.Diagnostics;
using System.Globalization;
using Tarn.Lab.Measurement;
using Tarn.Traces;

namespace Tarn.Lab.Recording;

/// <summary>
/// One of the programs of <c>lab/Scenarios</c>, recorded under its load. Server and load are separate processes; only the server is
/// recorded.
/// </summary>
internal static class ScenarioProcess
{
    private const string Assembly = "tarn-scenarios.dll";
    private const string Ready = "ready ";
    private static readonly TimeSpan s_warmUp = TimeSpan.FromSeconds(3);

    public static IReadOnlyList<string> Names { get; } = ["kestrel-uploads", "kestrel-small", "http2", "json", "tls-proxy"];

    /// <summary>Starts server and load, lets both warm up, records, and ends both.</summary>
    /// <exception cref="RecordingException">The programs are not built, or the server did not start.</exception>
    public static BufferTrace Record(string name, RecordingOptions options)
    {
        string program = FindProgram();
        using Process server = Start(program, ["serve", name], redirectInput: true);
        try
        {
            string line = server.StandardOutput.ReadLine() ?? "";
            if (!line.StartsWith(Ready, StringComparison.Ordinal))
            {
                throw new RecordingException($"The scenario {name} did not start: {server.StandardError.ReadToEnd().Trim()}");
            }

            // A server does not end by itself.
            TimeSpan time = options.LongestTime ?? throw new ArgumentException("A scenario is recorded for a time.", nameof(options));
            double seconds = (s_warmUp + time).TotalSeconds;
            using Process load = Start(
                program, ["load", name, line[Ready.Length..], seconds.ToString(CultureInfo.InvariantCulture)], redirectInput: false);
            try
            {
                Thread.Sleep(s_warmUp);
                if (load.HasExited)
                {
                    throw new RecordingException($"The load of {name} ended early: {load.StandardError.ReadToEnd().Trim()}");
                }

                BufferTrace trace = TraceRecorder.Attach(server.Id, options);
                // The command in a form that works in any location of the repository.
                TraceOrigin origin = trace.Origin with { Program = name, Command = $"tarn-scenarios serve {name}", How = "attached" };
                return new BufferTrace(origin, trace.Events.ToArray());
            }
            finally
            {
                Kill(load);
            }
        }
        finally
        {
            Kill(server);
        }
    }

    private static Process Start(string program, string[] arguments, bool redirectInput) =>
        Process.Start(new ProcessStartInfo("dotnet", [program, .. arguments])
        {
            RedirectStandardInput = redirectInput,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;

    private static void Kill(Process process)
    {
        process.Kill(entireProcessTree: true);
        process.WaitForExit();
    }

    /// <exception cref="RecordingException">The programs are not built.</exception>
    internal static string FindProgram()
    {
        try
        {
            return BuiltProgram.Find("Scenarios", Assembly);
        }
        catch (InvalidOperationException exception)
        {
            throw new RecordingException(exception.Message);
        }
    }
}

using System.Diagnostics;
using Tarn.Traces;

namespace Tarn.Tool.Commands;

/// <summary>A program that a command starts and records, with the processes it starts.</summary>
internal static class StartedProgram
{
    /// <summary>Runs it to its end, and says which of its processes could not be recorded.</summary>
    /// <param name="program">The program and its arguments.</param>
    /// <param name="only">Record only processes whose command line contains this; null for all.</param>
    /// <param name="options">What to record.</param>
    /// <param name="end">Ends the recording early.</param>
    public static ProgramRecording Record(string[] program, string? only, RecordingOptions options, CancellationToken end)
    {
        ProgramRecording recording = ProgramRecorder
            .RunAsync(new ProcessStartInfo(program[0], program[1..]), only, options, end)
            .GetAwaiter().GetResult();
        foreach (string failure in recording.Failures)
        {
            Console.Error.WriteLine($"tarn: not recorded: {failure}");
        }

        return recording;
    }
}

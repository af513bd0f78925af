namespace Tarn.Traces;

/// <summary>A program that was recorded to its end.</summary>
/// <param name="Traces">A trace for each process in which at least one buffer was rented, the largest first.</param>
/// <param name="ExitCode">The exit code of the program.</param>
/// <param name="Failures">The processes that could not be recorded, each with the reason.</param>
public sealed record ProgramRecording(IReadOnlyList<BufferTrace> Traces, int ExitCode, IReadOnlyList<string> Failures)
{
    /// <summary>The .NET processes that connected; 0 if the program is none and starts none, or none that may be recorded.</summary>
    public int Connected { get; init; }

    /// <summary>Those that were not asked for, and so not recorded.</summary>
    public int NotAskedFor { get; init; }

    /// <summary>Those of the SDK, which were left alone.</summary>
    public int OfSdk { get; init; }
}

namespace Tarn.Traces;

/// <summary>A process that a watched program started, directly or not, as <see cref="ProcessWatch"/> last saw it.</summary>
/// <param name="Id">The process id.</param>
/// <param name="Start">When it started, as the kernel counts. An id may be used again.</param>
internal sealed record SeenProcess(int Id, ulong Start)
{
    /// <summary>What it runs; empty while nobody could read it.</summary>
    internal ProgramLine Line { get; init; } = new("", "", IsSdk: false);

    /// <summary>Whether a runtime of .NET was seen in it.</summary>
    internal bool IsDotnet { get; init; }

    /// <summary>Whether it runs as another user than this process.</summary>
    internal bool IsOfOtherUser { get; init; }

    /// <summary>Whether it has what the watched program got in its environment.</summary>
    internal bool HasMarks { get; init; }

    /// <summary>Whether it still ran.</summary>
    internal bool IsAlive { get; init; } = true;
}

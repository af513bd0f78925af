using Tarn.Sanitizing.Launching;
using Tarn.Traces;

namespace Tarn.Tool.Sanitizing;

/// <summary>A process of the program that was not checked, or not to its end, so that the summary does not speak for it.</summary>
/// <param name="Id">The process id.</param>
/// <param name="Command">Its command line.</param>
/// <param name="Reason">Why.</param>
/// <param name="IsRunning">Whether it outlived the program.</param>
internal sealed record UncheckedProcess(int Id, string Command, string Reason, bool IsRunning)
{
    /// <summary>Those that refused, those that never heard of the checks, and those that go on.</summary>
    /// <param name="logs">What the processes said at their start.</param>
    /// <param name="seen">The processes that ran.</param>
    /// <param name="part">What <c>--process</c> asks for; null for all.</param>
    public static IReadOnlyList<UncheckedProcess> Of(IReadOnlyList<LaunchLog> logs, IReadOnlyList<SeenProcess> seen, string? part)
    {
        ILookup<int, LaunchLog> told = logs.ToLookup(log => log.Process);
        return
        [
            .. logs.Where(log => log is { Refusal: not null, IsUnasked: false })
                .Select(log => new UncheckedProcess(log.Process, log.Command, log.Refusal!, IsRunning: false)),
            .. seen.Where(process => process is { IsDotnet: true, Line.IsSdk: false } && !told.Contains(process.Id)
                    && process.Line.Matches(part))
                .Select(process => new UncheckedProcess(process.Id, process.Line.Text, Explain(process), IsRunning: false)),
            .. seen.Where(process => process is { IsAlive: true, Line.IsSdk: false } && (process.IsDotnet
                    ? told[process.Id].Any(log => log.Refusal is null)
                    : process.Line.Text.Length > 0))
                .Select(process => new UncheckedProcess(
                    process.Id,
                    process.Line.Text,
                    process.IsDotnet ? "what it does from here on is not seen" : "what it starts from here on is not seen",
                    IsRunning: true)),
        ];
    }

    /// <summary>The process in a line.</summary>
    public override string ToString() => $"{(IsRunning ? "still running" : "not checked")}: process {Id}, {Command}: {Reason}";

    private static string Explain(SeenProcess process) =>
        process.IsOfOtherUser ? "it runs as another user, who has no access to the reports"
        : !process.HasMarks ? "its environment does not load the checks: whoever started it cleared or replaced DOTNET_STARTUP_HOOKS"
        : "it loads no startup hook: it was trimmed, or compiled ahead of time, or it ended too early";
}

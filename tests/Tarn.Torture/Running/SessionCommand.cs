using System.CommandLine;
using Tarn.Torture.Children;

namespace Tarn.Torture.Running;

/// <summary>
/// <c>session</c>: a tracing session of another process, which lasts until this one is killed. Hidden, as <c>slice</c> is.
/// </summary>
internal static class SessionCommand
{
    private static readonly Argument<int> s_process = new("process");

    internal static Command Create()
    {
        var command = new Command("session", "Traces a process until killed.") { Hidden = true };
        command.Arguments.Add(s_process);
        command.SetAction(result => TracingSession.ReadUntilKilled(result.GetValue(s_process)));
        return command;
    }
}

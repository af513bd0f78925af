using System.CommandLine;
using Tarn.Tool.Asking;
using Tarn.Tool.Processes;

namespace Tarn.Tool.Commands;

/// <summary><c>dump</c>: the counters and incidents of a process that uses Tarn, now.</summary>
internal static class DumpCommand
{
    private static readonly Argument<string> s_target = ToolCommand.RunningProcess();

    private static readonly Option<bool> s_json = new("--json") { Description = "Write JSON." };

    private static readonly Option<TimeSpan> s_patience = DurationOption.Create(
        "--timeout", "How long to wait for the answer.", TimeSpan.FromSeconds(10));

    public static Command Create()
    {
        var command = new Command(
            "dump", "Writes the counters of every pool, heap and budget of a process that uses Tarn, and the incidents its checks found.");
        command.Arguments.Add(s_target);
        command.Options.Add(s_json);
        command.Options.Add(s_patience);
        command.SetAction(line => ToolCommand.Guarded(() => Run(line)));
        return command;
    }

    private static int Run(ParseResult line)
    {
        DotnetProcess process = ProcessFinder.Find(line.GetValue(s_target)!);
        using var interruption = new Interruption();
        ProcessState state = ProcessState.Read(
            ProcessReport.Ask(process, "State", line.GetValue(s_patience), hint: "", interruption.Token));
        if (line.GetValue(s_json))
        {
            Console.WriteLine(state.ToJson(process));
            return 0;
        }

        state.Write(Terminal.Output);
        return 0;
    }
}

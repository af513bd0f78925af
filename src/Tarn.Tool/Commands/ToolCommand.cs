using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;

namespace Tarn.Tool.Commands;

/// <summary>The command line of <c>tarn</c>.</summary>
internal static class ToolCommand
{
    /// <summary>Exit code of a request that cannot be carried out, as for a line that cannot be parsed.</summary>
    public const int Refused = 2;

    /// <summary>What each command is for, for those who name none.</summary>
    private const string Questions =
        """
        Who has the memory of a process?                     tarn memory PID
        What would pooling save in a program without pools?  tarn candidates PID
        What do the pools of a process do right now?         tarn watch PID
        Which calls lose buffers, or return them twice?      tarn record PID; tarn report FILE
        What should I change?                                tarn advise FILE
        Do my tests lose buffers?                            tarn check -- dotnet test
        Does anything use a buffer that it has returned?     tarn sanitize -- PROGRAM
        What do Tarn's pools and heaps in a process hold?    tarn dump PID
        Which rings and queues are there, and who is behind? tarn rings
        Which call sites allocate, for pprof?                tarn profile PID
        Which processes are there? What are the options?     tarn ps; tarn --help
        """;

    /// <summary>Reads what a command is about: one process, or a program to start, which stands after two dashes.</summary>
    /// <exception cref="InvalidDataException">There are several words and no dashes before them.</exception>
    public static (string[] Target, bool IsProgram) ReadTarget(ParseResult line, Argument<string[]> argument)
    {
        string[] target = line.GetValue(argument)!;
        bool isProgram = line.Tokens.Any(static token => token.Type == TokenType.DoubleDash);
        return isProgram || target.Length <= 1
            ? (target, isProgram)
            : throw new InvalidDataException(
                $"Name one process, or write -- before a program: tarn {line.CommandResult.Command.Name} -- {string.Join(' ', target)}");
    }

    public static Command Create()
    {
        // A root command would be called as its assembly is, which cannot have the name of the library.
        var root = new Command(
            "tarn", "Shows what the memory and the array pools of running .NET programs do, without a change to the programs.");
        root.Subcommands.Add(MemoryCommand.Create());
        root.Subcommands.Add(CandidatesCommand.Create());
        root.Subcommands.Add(RecordCommand.Create());
        root.Subcommands.Add(ReportCommand.Create());
        root.Subcommands.Add(AdviseCommand.Create());
        root.Subcommands.Add(WatchCommand.Create());
        root.Subcommands.Add(CheckCommand.Create());
        root.Subcommands.Add(Sanitizing.SanitizeCommand.Create());
        root.Subcommands.Add(DumpCommand.Create());
        root.Subcommands.Add(ProfileCommand.Create());
        root.Subcommands.Add(RingsCommand.Create());
        root.Subcommands.Add(PsCommand.Create());
        root.Subcommands.Add(KeepPortCommand.Create());
        root.SetAction(_ => Console.WriteLine(Questions));
        root.Options.Add(new HelpOption());
        root.Options.Add(new VersionOption());
        return root;
    }

    /// <summary>The argument that names a running process, for <see cref="Processes.ProcessFinder.Find"/>.</summary>
    public static Argument<string> RunningProcess() => new("target") { Description = "The id or the name of a running process." };

    /// <summary>Returns the exit code.</summary>
    public static int Invoke(string[] arguments)
    {
        Terminal.TakeConsole();
        ParseResult line = Create().Parse(arguments);
        if (UnknownOption.Find(line) is { } option)
        {
            Console.Error.WriteLine(
                $"tarn: There is no option {option}. tarn {line.CommandResult.Command.Name} --help lists the options; what begins with a "
                + "dash and is none stands after --.");
            return Refused;
        }

        int exitCode = line.Invoke();
        return Terminal.Finish(line.Action is ParseErrorAction ? Refused : exitCode);
    }

    /// <summary>Runs an action. What a user can correct results in a message and an exit code, not in a stack trace.</summary>
    public static int Guarded(Func<int> action)
    {
        try
        {
            return action();
        }
        catch (Exception exception)
            when (exception is InvalidDataException or IOException or UnauthorizedAccessException or PlatformNotSupportedException)
        {
            Console.Error.WriteLine($"tarn: {exception.Message}");
            return Refused;
        }
    }
}

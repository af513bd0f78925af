using System.CommandLine;
using System.CommandLine.Invocation;
using Tarn.Torture.Attacks;

namespace Tarn.Torture.Running;

/// <summary>The command line and its options.</summary>
internal static class TortureCommand
{
    /// <summary>Exit code of a request that cannot be carried out, as for a line that cannot be parsed.</summary>
    internal const int Refused = 2;

    private static readonly Option<double> s_minutes = new("--minutes")
    {
        Description = "How long it attacks, divided among the attacks.",
        DefaultValueFactory = _ => TortureOptions.DefaultMinutes,
    };

    private static readonly Option<string[]> s_only = new("--only")
    {
        Description = $"Make these attacks only: names separated by commas. There are: {AttackCatalogue.Names}.",
        AllowMultipleArgumentsPerToken = true,
        HelpName = "name[,name…]",
    };

    private static readonly Option<int?> s_seed = new("--seed")
    {
        Description = "Seed of every random choice; a random one, which is printed, by default. Threads still run as they run.",
    };

    private static readonly Option<bool> s_list = new("--list") { Description = "List the attacks with their descriptions." };

    internal static RootCommand Create()
    {
        var root = new RootCommand("Attacks Tarn: storms, refusals, kills, spoiled headers, torn sessions, limits.");
        root.Options.Add(s_minutes);
        root.Options.Add(s_only);
        root.Options.Add(s_seed);
        root.Options.Add(s_list);
        root.SetAction(result => result.GetValue(s_list) ? List() : Attack(ReadOptions(result)));
        root.Subcommands.Add(SliceCommand.Create());
        root.Subcommands.Add(SessionCommand.Create());
        return root;
    }

    /// <summary>The exit code: a line that cannot be parsed must not look like a finding.</summary>
    internal static int Invoke(string[] arguments)
    {
        ParseResult line = Create().Parse(arguments);
        int exitCode = line.Invoke();
        return line.Action is ParseErrorAction ? Refused : exitCode;
    }

    internal static TortureOptions ReadOptions(ParseResult result) => new()
    {
        Minutes = result.GetValue(s_minutes),
        Only =
        [
            .. (result.GetValue(s_only) ?? [])
                .SelectMany(names => names.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)),
        ],
        Seed = result.GetValue(s_seed) ?? Random.Shared.Next(),
    };

    private static int Attack(TortureOptions options)
    {
        try
        {
            options.Verify();
            return new TortureRun(AttackCatalogue.Select(options.Only), SliceProcess.Execute, Console.Out, !Console.IsOutputRedirected)
                .Run(options);
        }
        catch (RefusedOptionException e)
        {
            Console.Error.WriteLine(e.Message);
            return Refused;
        }
    }

    private static int List()
    {
        foreach (IAttack attack in AttackCatalogue.All)
        {
            Console.WriteLine($"{attack.Name,-9} {attack.Description}");
        }

        return 0;
    }
}

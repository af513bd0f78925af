using System.Diagnostics;
using System.Globalization;
using Tarn.Torture.Attacks;
using Tarn.Torture.Children;
using Tarn.Torture.Running;

namespace Tarn.Tests.Torture;

/// <summary>The output and the exit code of a run, with attacks that do nothing.</summary>
public sealed class TortureRunTests
{
    private static readonly IAttack[] s_attacks =
    [
        new PlantedAttack("long", static _ => { }, isContinuous: true), new PlantedAttack("one", static _ => { }),
        new PlantedAttack("two", static _ => { }),
    ];

    [Fact]
    public void Attacks_take_turns_and_divide_the_time()
    {
        SlicePlan plan = new(s_attacks, TimeSpan.FromMinutes(3), seed: 5);

        Assert.Equal(
            [
                new Slice("one", 5, 20), new Slice("two", 5, 20), new Slice("one", 6, 20), new Slice("two", 6, 20),
                new Slice("one", 7, 20), new Slice("two", 7, 20), new Slice("long", 5, 60),
            ],
            Enumerable.Range(0, plan.Count).Select(index => plan.At(index, TimeSpan.FromSeconds(index * 20))));
    }

    [Fact]
    public void A_late_slice_shortens_the_following_ones_and_leaves_time_to_each()
    {
        SlicePlan plan = new(s_attacks[1..], TimeSpan.FromSeconds(10), seed: 5);

        Assert.Equal(new Slice("two", 5, 3), plan.At(1, TimeSpan.FromSeconds(7)));
        Assert.InRange(plan.At(1, TimeSpan.FromSeconds(100)).Seconds, 0.1, 1);
    }

    [Fact]
    public void A_run_without_a_finding_sums_up_and_ends_well()
    {
        (int exitCode, string output) = Run(
            static slice => new SliceResult(
                new Dictionary<string, long> { ["kills"] = 1000, ["threads at once"] = 7 }, [$"{slice.Attack} on a whim"], Finding: null));

        Assert.Equal(0, exitCode);
        Assert.StartsWith("Seed 41, 2 minutes, 5 time slices of 3 attacks.", output, StringComparison.Ordinal);
        Assert.Contains("2/5 two, seed 41,", output, StringComparison.Ordinal);
        Assert.Contains("2,000 kills, 7 threads at once", output, StringComparison.Ordinal);
        Assert.Contains("skipped: one on a whim", output, StringComparison.Ordinal);
        Assert.EndsWith("No finding.\n", output.ReplaceLineEndings("\n"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_finding_is_shown_with_the_command_that_repeats_it_and_the_run_goes_on_and_ends_with_1()
    {
        int slices = 0;
        (int exitCode, string output) = Run(slice =>
        {
            slices++;
            return slice is { Attack: "two", Seed: 42 }
                ? SliceResult.Found("a byte was lost")
                : new SliceResult(new Dictionary<string, long>(), [], Finding: null);
        });

        Assert.Equal((TortureRun.Found, 5), (exitCode, slices));
        Assert.Contains("FINDING of the attack two: a byte was lost", output, StringComparison.Ordinal);
        Assert.Contains("1 finding. Repeat it:", output, StringComparison.Ordinal);
        string command = output.ReplaceLineEndings("\n").TrimEnd().Split('\n')[^1];
        Assert.StartsWith("dotnet run -c Release --project tests/Tarn.Torture -- --minutes ", command, StringComparison.Ordinal);
        Assert.EndsWith(" --only two --seed 42", command, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("two", 20.5)]
    [InlineData("two", 0.2)]
    [InlineData("long", 400)]
    public void The_command_of_a_slice_makes_that_slice(string attack, double seconds)
    {
        Slice slice = new(attack, 42, seconds);
        TortureOptions options = TortureCommand.ReadOptions(
            TortureCommand.Create().Parse(TortureOptions.ToCommand(slice).Split(" -- ")[1]));

        Assert.Equal([attack], options.Only);
        IAttack[] only = [.. s_attacks.Where(one => one.Name == attack)];
        Assert.Equal(slice, new SlicePlan(only, options.Duration, options.Seed).At(0, TimeSpan.Zero));
    }

    [Theory]
    [InlineData("No such attack: nope, never. There are: ", "--only", "pool,nope,never")]
    [InlineData("--minutes is 0. Give more than 0 and at most 10080, a week.", "--minutes", "0")]
    [InlineData("--minutes is -1. ", "--minutes", "-1")]
    [InlineData("--minutes is NaN. ", "--minutes", "NaN")]
    [InlineData("'--minuets'", "--minuets", "3")]
    [InlineData("'x'", "--seed", "x")]
    public void Unknown_options_are_refused_in_a_sentence(string sentence, params string[] arguments)
    {
        (int exitCode, string output, string error) = RunProcess(arguments);

        Assert.Equal(TortureCommand.Refused, exitCode);
        Assert.Contains(sentence, error, StringComparison.Ordinal);
        Assert.DoesNotContain("slices of", output, StringComparison.Ordinal);
    }

    [Fact]
    public void Help_and_the_list_name_every_attack()
    {
        foreach (string option in (string[])["--help", "--list"])
        {
            (int exitCode, string output, _) = RunProcess(option);
            Assert.Equal(0, exitCode);
            Assert.All(AttackCatalogue.All, attack => Assert.Contains(attack.Name, output, StringComparison.Ordinal));
        }
    }

    [Fact]
    public void A_run_makes_the_attacks_that_are_named_and_prints_the_seed()
    {
        (int exitCode, string output, string error) = RunProcess("--minutes", "0.005", "--only", "stream", "--seed", "12");

        Assert.True(exitCode == 0 && error.Length == 0, output + error);
        Assert.StartsWith("Seed 12, 0.005 minutes, 1 time slices of 1 attacks.", output, StringComparison.Ordinal);
        Assert.Contains("No finding.", output, StringComparison.Ordinal);
    }

    private static (int ExitCode, string Output) Run(Func<Slice, SliceResult> execute)
    {
        StringWriter output = new(CultureInfo.InvariantCulture);
        int exitCode = new TortureRun(s_attacks, execute, output, isTerminal: false).Run(new TortureOptions { Minutes = 2, Seed = 41 });
        return (exitCode, output.ToString());
    }

    private static (int ExitCode, string Output, string Error) RunProcess(params string[] arguments)
    {
        using Process process = ChildProgram.Start("Tarn.Torture.dll", arguments);
        return ChildProgram.WaitForEnd(process, TimeSpan.FromMinutes(1));
    }
}

using Tarn.Lab.Tests;
using Tarn.Tool.Analysis;
using Tarn.Tool.Checking;

namespace Tarn.Tool.Tests.Checking;

/// <summary>When two problems of two runs are one.</summary>
public class CheckBaselineTests
{
    private const string Read = "App.Reader.Read";
    private const string Copy = "App.Copy.Run";

    [Fact]
    public void How_often_and_how_surely_a_problem_happens_does_not_matter()
    {
        Problem few = Lost(3, Read, Copy) with { Certainty = Certainty.Possible, Fails = false };

        Assert.Empty(FindNew(Lost(500, Read, Copy), few));
    }

    [Fact]
    public void Lines_that_moved_do_not_matter() =>
        Assert.Empty(FindNew(Lost(1, Read, Copy) with { Calls = [$"{Read}:900"] }, Lost(1, Read, Copy)));

    [Fact]
    public void A_method_that_goes_on_after_an_await_has_no_callers()
    {
        Assert.Empty(FindNew(Lost(1, Read), Lost(1, Read, Copy)));
        Assert.Empty(FindNew(Lost(1, Read, Copy), Lost(1, Read)));
    }

    [Fact]
    public void A_method_that_was_inlined_leaves_its_call_in_the_caller()
    {
        Problem whole = Lost(1, Read, Copy) with { Calls = [$"{Read}:10", $"{Copy}:20"] };
        Problem inlined = Lost(1, Copy, "App.Program.Main") with { Calls = [$"{Copy}:22", "App.Program.Main:1"] };
        Problem another = inlined with { Calls = [$"{Copy}:40", "App.Program.Main:1"] };

        Assert.Empty(FindNew(inlined, whole));
        Assert.Empty(FindNew(whole, inlined));
        Assert.Equal([another], FindNew(another, whole));
        Assert.Equal(2, Assert.Single(Problem.Merge([inlined, whole])).Count);
        Assert.Equal(whole.Site, Problem.Merge([inlined, whole])[0].Site);
    }

    [Fact]
    public void Other_callers_of_a_wrapper_and_other_kinds_are_new()
    {
        Problem other = Lost(1, Read, "App.Other.Run");
        Problem twice = Lost(1, Read, Copy) with { Kind = ProblemKind.ReturnedTwice };

        Assert.Equal([other], FindNew(other, Lost(1, Read, Copy)));
        Assert.Equal([twice], FindNew(twice, Lost(1, Read, Copy)));
        Problem longer = Lost(1, Read + "Line");
        Assert.Equal([longer], FindNew(longer, Lost(1, Read)));
    }

    [Fact]
    public void A_baseline_is_read_as_it_was_written_also_one_with_counts()
    {
        using var folder = new TemporaryDirectory();
        File.WriteAllText(folder.File("known.json"), CheckBaseline.Write([Lost(3, Read, Copy)]));
        File.WriteAllText(folder.File("old.json"), $$"""[{ "kind": "lost", "site": "{{Read}}", "count": 7 }]""");

        KnownProblem known = Assert.Single(CheckBaseline.Read(folder.File("known.json")));
        Assert.Equal($"{Read} ← {Copy}", known.Site);
        Assert.Equal([$"{Read}:10", $"{Copy}:11"], known.Calls);
        Assert.DoesNotContain("count", File.ReadAllText(folder.File("known.json")), StringComparison.Ordinal);
        Assert.True(Assert.Single(CheckBaseline.Read(folder.File("old.json"))).Is(known));
    }

    private static IReadOnlyList<Problem> FindNew(Problem found, Problem known) => CheckBaseline.FindNew([found], [known.Known]);

    private static Problem Lost(long count, params string[] methods) => new()
    {
        Kind = ProblemKind.Lost,
        Site = string.Join(CallSite.From, methods),
        Count = count,
        Calls = [.. methods.Select((method, index) => $"{method}:{10 + index}")],
    };
}

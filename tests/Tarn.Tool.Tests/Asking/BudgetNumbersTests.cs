using Spectre.Console;
using Tarn.Tool.Asking;
using Tarn.Tool.Watching;

namespace Tarn.Tool.Tests.Asking;

/// <summary>The budgets among the values of a process's meter.</summary>
public class BudgetNumbersTests
{
    private static readonly (string Name, double Value)[] s_meter =
    [
        ("tarn.budgets.deadlocks tarn.budget.name=web [requests]", 3),
        ("tarn.budgets.in_use tarn.budget.name=tenant", 5),
        ("tarn.budgets.in_use tarn.budget.name=web [requests]", 900),
        ("tarn.budgets.limit tarn.budget.name=tenant", long.MaxValue),
        ("tarn.budgets.limit tarn.budget.name=web [requests]", 1_000),
        ("tarn.budgets.longest_wait tarn.budget.name=web [requests]", 60),
        ("tarn.budgets.oldest_wait tarn.budget.name=web [requests]", 42.25),
        ("tarn.budgets.refused tarn.budget.name=web [requests]", 7),
        ("tarn.budgets.waiting tarn.budget.name=web [requests]", 2),
        ("tarn.buffers.in_use tarn.source.name=other", 1),
    ];

    [Fact]
    public void A_budget_is_read_from_its_values()
    {
        IReadOnlyList<BudgetNumbers> budgets = BudgetNumbers.Read(s_meter);

        Assert.Equal(["tenant", "web [requests]"], budgets.Select(budget => budget.Name));
        Assert.Equal(new BudgetNumbers("web [requests]", 1_000, 900, 2, 7, 3, 42.25), budgets[1]);
        Assert.Equal((5, 0), (budgets[0].InUse, budgets[0].Waiting));
        Assert.Empty(BudgetNumbers.Read([("tarn.buffers.in_use tarn.source.name=other", 1)]));
    }

    [Fact]
    public void A_line_of_watch_tells_the_budgets_that_requests_wait_for()
    {
        WatchSample sample = new()
        {
            At = DateTimeOffset.UnixEpoch,
            Seconds = 1,
            HasRents = false,
            Pools = [],
            Total = default,
            Sizes = [],
            HeapBytes = 0,
            Meter = s_meter,
        };

        Assert.Contains("web [requests]: 2 wait up to 42.3 s", WatchText.Line(sample), StringComparison.Ordinal);
        Assert.DoesNotContain("tenant", WatchText.Line(sample), StringComparison.Ordinal);
        Assert.Contains("\"oldestWaitSeconds\":42.25", WatchText.Json(sample), StringComparison.Ordinal);
    }

    [Fact]
    public void The_table_names_each_budget_as_it_is()
    {
        using var text = new StringWriter();
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = AnsiSupport.No,
            ColorSystem = ColorSystemSupport.NoColors,
            Out = new AnsiConsoleOutput(text),
        });
        console.Profile.Width = 120;

        console.Write(BudgetNumbers.Draw(BudgetNumbers.Read(s_meter)));

        Assert.Contains("web [requests]", text.ToString(), StringComparison.Ordinal);
        Assert.Contains("42.3 s", text.ToString(), StringComparison.Ordinal);
    }
}

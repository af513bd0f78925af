using System.Globalization;
using Tarn.Tests.Schedules.Checking;
using Tarn.Tests.Support;
using Tarn.Tests.Tidy;
using Xunit.Abstractions;

namespace Tarn.Tests.Schedules;

/// <summary>Every schedule of the models of the lock-free parts (docs/design/schedules.md).</summary>
public class ScheduleTests(ITestOutputHelper output)
{
    /// <summary>More states take many seconds each: such a search is part of the long form.</summary>
    private const int MostStates = 20_000;

    public static TheoryData<string, MemoryModel> Searches
    {
        get
        {
            TheoryData<string, MemoryModel> searches = [];
            foreach (string protocol in Protocols.All.Keys)
            {
                foreach (MemoryModel model in Enum.GetValues<MemoryModel>())
                {
                    searches.Add(protocol, model);
                }
            }

            return searches;
        }
    }

    public static TheoryData<PlantedFault> Faults => [.. Protocols.Faults.Select(static planted => planted.Fault)];

    [SkippableTheory]
    [MemberData(nameof(Searches))]
    public void No_schedule_breaks_a_rule(string protocol, MemoryModel model)
    {
        int states = DocumentedStates(protocol, model);
        Skip.If(states > MostStates && !StressLength.IsLong, $"{states:N0} states are searched if {StressLength.LongVariable} is set.");
        SearchResult result = Search.Run(Protocols.All[protocol](PlantedFault.None), model);
        output.WriteLine($"{protocol}, {model}: {result}");
        Assert.True(result.BrokenRule is null, result.ToString());
        Assert.Equal(states, result.States);
    }

    [Theory]
    [MemberData(nameof(Faults))]
    public void A_planted_fault_is_found_with_a_schedule(PlantedFault fault)
    {
        (_, string protocol, MemoryModel showsIn) = Protocols.Faults.Single(planted => planted.Fault == fault);
        foreach (MemoryModel model in Enum.GetValues<MemoryModel>().Where(
            model => model == showsIn || (StressLength.IsLong && model < showsIn)))
        {
            SearchResult result = Search.Run(Protocols.All[protocol](fault), model);
            output.WriteLine($"{fault} in {protocol}, {model}: {result}");
            Assert.Equal(model == showsIn, result.BrokenRule is not null);
            Assert.Equal(model == showsIn, result.Schedule.Count > 0);
        }
    }

    /// <summary>The table of docs/design/schedules.md.</summary>
    private static int DocumentedStates(string protocol, MemoryModel model)
    {
        string row = File.ReadLines(Repository.At("docs/design/schedules.md"))
            .Single(line => line.StartsWith($"| {protocol} |", StringComparison.Ordinal) && char.IsDigit(line[protocol.Length + 5]));
        return int.Parse(row.Split('|')[2 + (int)model], NumberStyles.Any, CultureInfo.InvariantCulture);
    }

    [Fact]
    public void Every_fault_is_planted()
    {
        IEnumerable<PlantedFault> planted = Protocols.Faults.Select(static entry => entry.Fault);
        Assert.Equal(Enum.GetValues<PlantedFault>().Where(static fault => fault != PlantedFault.None), planted);
    }

    /// <summary>The last table of docs/design/schedules.md names each fault, and none that does not exist.</summary>
    [Fact]
    public void Every_fault_is_documented()
    {
        IEnumerable<string> named = File.ReadLines(Repository.At("docs/design/schedules.md"))
            .SkipWhile(static line => !line.StartsWith("| part | relies on |", StringComparison.Ordinal)).Skip(2)
            .TakeWhile(static line => line.StartsWith('|'))
            .SelectMany(static row => row.Split('|')[^2].Split(',', StringSplitOptions.TrimEntries))
            .Where(static name => !name.Contains(' ', StringComparison.Ordinal));
        Assert.Equal(Enum.GetNames<PlantedFault>().Except([nameof(PlantedFault.None)]).Order(), named.Distinct().Order());
    }
}

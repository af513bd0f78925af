using Tarn.Sanitizing.Checking;
using Tarn.Tool.Sanitizing;

namespace Tarn.Tool.Tests.Sanitizing;

/// <summary>The search for the place whose buffers a program reads too late, on programs that are only said to fail.</summary>
public class BisectionTests
{
    private readonly List<string> _told = [];

    private readonly ReportedSite[] _sites =
        [.. Enumerable.Range(0, 17).SelectMany(static i => new[] { SiteNamed($"Returner{i}", true), SiteNamed($"Renter{i}", false) })];

    [Theory]
    [InlineData("poison", "Returner")]
    [InlineData("poison-rents", "Renter")]
    [InlineData("exact", "Renter")]
    public void The_one_place_is_found_in_few_runs(string mode, string role)
    {
        for (int culprit = 0; culprit < 17; culprit++)
        {
            string name = $"{role}{culprit}";
            _told.Clear();
            Assert.Equal(1, Find(poisoned => poisoned.Contains((mode, name))));
            Assert.Contains(_told, line => line.Contains($" {name} are ", StringComparison.Ordinal));
            Assert.InRange(_told.Count(static line => line.StartsWith("run ", StringComparison.Ordinal)), 6, 16);
        }
    }

    [Fact]
    public void A_program_that_fails_without_poison_is_not_searched()
    {
        Assert.Equal(2, Find(static _ => true));
        Assert.Contains("fails without poison too", _told[^1], StringComparison.Ordinal);
        Assert.Equal(2, _told.Count);
    }

    [Fact]
    public void A_program_that_never_fails_has_no_fault()
    {
        Assert.Equal(0, Find(static _ => false));
        Assert.Contains("passes with all buffers poisoned", _told[^1], StringComparison.Ordinal);
    }

    [Fact]
    public void Two_places_that_are_needed_together_are_both_named()
    {
        ReportedSite[] ordered = [.. _sites.Where(static site => site.Returns).OrderBy(static site => site.Hash)];
        string[] needed = [ordered[0].Name, ordered[^1].Name];
        Assert.Equal(1, Find(poisoned => needed.All(name => poisoned.Contains(("poison", name)))));
        Assert.Contains(_told, static line => line.Contains("these 17 places together", StringComparison.Ordinal));
        Assert.All(needed, name => Assert.Contains($"  {name}", _told));
    }

    [Fact]
    public void A_program_that_fails_now_and_then_is_told_as_such()
    {
        int runs = 0;
        Assert.Equal(2, Find(_ => ++runs is 2 or 3));
        Assert.Contains("does not fail reproducibly", _told[^1], StringComparison.Ordinal);
    }

    private int Find(Func<HashSet<(string Mode, string Site)>, bool> fails) => new Bisection(
        options =>
        {
            HashSet<(string, string)> poisoned = [];
            foreach (string option in options.Split(':'))
            {
                string[] parts = option.Split('=');
                SiteRange range = SiteRange.Parse(parts[1])!.Value;
                poisoned.UnionWith(_sites.Where(site => site.Returns == (parts[0] == "poison") && range.Has(site.Hash))
                    .Select(site => (parts[0], site.Name)));
            }

            return new BisectedRun(fails(poisoned), _sites);
        },
        _told.Add).Find();

    private static ReportedSite SiteNamed(string name, bool returns) => new(returns, PlaceName.Hash(name), name);
}

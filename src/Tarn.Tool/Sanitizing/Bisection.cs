using Tarn.Sanitizing.Checking;
using Tarn.Tool.Reports;

namespace Tarn.Tool.Sanitizing;

/// <summary>
/// Finds the place whose buffers a program reads after their return, which nothing can trap: it runs the program again and again, each time
/// with half of the places' buffers poisoned, until one place is left with which it fails. The same for code that relies on zeros, or on
/// longer buffers than it asked for.
/// </summary>
/// <param name="run">Runs the program with these options.</param>
/// <param name="tell">Takes a line for the user.</param>
internal sealed class Bisection(Func<string, BisectedRun> run, Action<string> tell)
{
    /// <summary>Exit code when the program has a fault.</summary>
    private const int Found = 1;

    /// <summary>Exit code when nothing can be said.</summary>
    private const int Unknown = 2;

    private int _runs;

    /// <summary>Returns the exit code: 0 if the program fails in no way.</summary>
    public int Find()
    {
        string none = BisectionMode.All[0].Options(SiteRange.None.ToString());
        if (Run("nothing poisoned", none).Failed)
        {
            tell("The program fails without poison too: make it pass first, or select a test that does.");
            return Unknown;
        }

        foreach (BisectionMode mode in BisectionMode.All)
        {
            BisectedRun all = Run($"{mode.Key} everywhere", mode.Options(SiteRange.All.ToString()));
            if (all.Failed)
            {
                return Narrow(mode, Order(mode, all));
            }
        }

        tell("The program passes with all buffers poisoned after their return, with all poisoned when rented, and with exact lengths.");
        return 0;
    }

    /// <summary>The places of a mode by their hashes. Places with one hash cannot be told apart, and are one.</summary>
    private static List<(uint Hash, string Names)> Order(BisectionMode mode, BisectedRun all) =>
    [
        .. all.Sites.Where(site => site.Returns == mode.OfReturns).GroupBy(site => site.Hash)
            .Select(group => (group.Key, string.Join(" or ", group.Select(site => site.Name).Distinct()))).OrderBy(site => site.Key),
    ];

    private int Narrow(BisectionMode mode, List<(uint Hash, string Names)> sites)
    {
        if (sites.Count == 0)
        {
            string verb = mode.OfReturns ? "returned" : "rented";
            tell($"The program fails with {mode.Key}=on, but no place {verb} a buffer: it does not fail reproducibly.");
            return Unknown;
        }

        while (sites.Count > 1)
        {
            List<(uint Hash, string Names)> lower = sites[..(sites.Count / 2)];
            List<(uint Hash, string Names)> upper = sites[(sites.Count / 2)..];
            if (Fails(mode, lower))
            {
                sites = lower;
            }
            else if (Fails(mode, upper))
            {
                sites = upper;
            }
            else
            {
                return TellSeveral(mode, sites);
            }
        }

        if (!Fails(mode, sites))
        {
            tell($"The program failed, and then passed, with {mode.Key} at {sites[0].Names} alone: it does not fail reproducibly.");
            return Unknown;
        }

        tell(string.Format(System.Globalization.CultureInfo.InvariantCulture, mode.Fault, sites[0].Names));
        tell($"Found in {Words.Count(_runs, "run", "runs")}.");
        return Found;
    }

    private int TellSeveral(BisectionMode mode, List<(uint Hash, string Names)> sites)
    {
        if (!Fails(mode, sites))
        {
            tell($"The program failed, and then passed, with {mode.Key} at {sites.Count:N0} places: it does not fail reproducibly.");
            return Unknown;
        }

        tell($"The program fails with {mode.Key} at these {sites.Count:N0} places together, and with neither half of them:");
        foreach ((_, string names) in sites)
        {
            tell($"  {names}");
        }

        return Found;
    }

    private bool Fails(BisectionMode mode, List<(uint Hash, string Names)> sites) => Run(
        $"{mode.Key} at {Words.Count(sites.Count, "place", "places")}",
        mode.Options(new SiteRange(sites[0].Hash, sites[^1].Hash).ToString())).Failed;

    private BisectedRun Run(string what, string options)
    {
        BisectedRun result = run(options);
        tell($"run {++_runs}: {what}: {(result.Failed ? "fails" : "passes")}");
        return result;
    }
}

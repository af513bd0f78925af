using System.Globalization;

namespace Tarn.Sanitizing.Checking;

/// <summary>What <c>TARN_SANITIZE</c> asks of the checker.</summary>
internal sealed class CheckerOptions
{
    private const int DefaultQuarantine = 32;

    /// <summary>The options, and the values that they accept.</summary>
    private static readonly (string Key, string Values)[] s_known =
    [
        ("poison", "on, off"), ("poison-rents", "on, off"), ("exact", "on, off"), ("lost", "on, off"), ("throw", "on, off"),
        ("halt", "on, off"), ("sites", "on, off"), ("stacks", "known, full, off"), ("quarantine", "0 to 65536 (MB)"),
        ("sample", "1/N, as 1/100"), ("exitcode", "1 to 255"),
        (SanitizerSettings.ProcessKey, "a part of a command line"),
    ];

    private readonly List<string> _complaints = [];

    /// <summary>The places whose returned buffers are filled with a pattern.</summary>
    internal SiteRange Poison { get; private set; } = SiteRange.All;

    /// <summary>The places that get buffers filled with the pattern, to find those that rely on zeros.</summary>
    internal SiteRange PoisonRents { get; private set; } = SiteRange.None;

    /// <summary>The places that get exactly the length they ask for.</summary>
    internal SiteRange Exact { get; private set; } = SiteRange.None;

    internal bool FindsLost { get; private set; } = true;

    /// <summary>Whether a wrong return throws, rather than being reported and ignored.</summary>
    internal bool Throws { get; private set; }

    /// <summary>Whether the first incident ends the process.</summary>
    internal bool Halts { get; private set; }

    /// <summary>Whether the report lists the places that rent and return, for <c>--bisect</c>.</summary>
    internal bool ListsSites { get; private set; }

    internal StackMode Stacks { get; private set; } = StackMode.Known;

    internal long QuarantineBytes { get; private set; } = DefaultQuarantine << 20;

    /// <summary>One rent in this many is watched.</summary>
    internal int Sample { get; private set; } = 1;

    internal int ExitCode { get; private set; } = 1;

    /// <summary>What is wrong with the options, a sentence each. Whoever reads them says what becomes of it.</summary>
    internal IReadOnlyList<string> Complaints => _complaints;

    internal static CheckerOptions Parse(IEnumerable<KeyValuePair<string, string>> options)
    {
        var read = new CheckerOptions();
        foreach ((string key, string value) in options)
        {
            if (key == SanitizerSettings.ProcessKey && value.Length > 0)
            {
                continue;
            }

            int known = Array.FindIndex(s_known, one => one.Key == key);
            if (known < 0)
            {
                read._complaints.Add(
                    $"there is no option {key}. The options are {string.Join(", ", s_known.Select(one => one.Key))}.");
            }
            else if (!read.Set(key, value))
            {
                read._complaints.Add($"{key} is {s_known[known].Values}, and not '{value}'.");
            }
        }

        return read;
    }

    private bool Set(string key, string value)
    {
        switch (key)
        {
            case "poison" or "poison-rents" or "exact":
                return SiteRange.Parse(value) is { } range && SetRange(key, range);
            case "stacks":
                bool isMode = Enum.TryParse(value, ignoreCase: true, out StackMode mode) && char.IsLetter(value[0]);
                Stacks = isMode ? mode : Stacks;
                return isMode;
            case "quarantine":
                bool isSize = TryNumber(value, 0, 1 << 16, out int megabytes);
                QuarantineBytes = isSize ? (long)megabytes << 20 : QuarantineBytes;
                return isSize;
            case "sample":
                string of = value.StartsWith("1/", StringComparison.Ordinal) ? value[2..] : value;
                bool isRate = TryNumber(of, 1, int.MaxValue, out int rate);
                Sample = isRate ? rate : Sample;
                return isRate;
            case "exitcode":
                bool isCode = TryNumber(value, 1, 255, out int code);
                ExitCode = isCode ? code : ExitCode;
                return isCode;
            default:
                return Switch.Parse(value) is { } isOn && SetSwitch(key, isOn);
        }
    }

    private bool SetRange(string key, SiteRange range)
    {
        Poison = key == "poison" ? range : Poison;
        PoisonRents = key == "poison-rents" ? range : PoisonRents;
        Exact = key == "exact" ? range : Exact;
        return true;
    }

    private bool SetSwitch(string key, bool isOn)
    {
        FindsLost = key == "lost" ? isOn : FindsLost;
        Throws = key == "throw" ? isOn : Throws;
        Halts = key == "halt" ? isOn : Halts;
        ListsSites = key == "sites" ? isOn : ListsSites;
        return true;
    }

    private static bool TryNumber(string text, int least, int most, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && number >= least && number <= most;
}

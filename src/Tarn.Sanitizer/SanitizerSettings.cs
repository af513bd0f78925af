namespace Tarn.Sanitizing;

/// <summary>What <c>tarn sanitize</c> tells the processes it starts, through their environment.</summary>
internal sealed class SanitizerSettings
{
    /// <summary>Options, as <c>key=value:key=value</c>. A process without this variable is left alone.</summary>
    public const string OptionsVariable = "TARN_SANITIZE";

    /// <summary>The folder of private frameworks.</summary>
    public const string RootVariable = "TARN_SANITIZE_ROOT";

    /// <summary>The folder into which each process writes its reports.</summary>
    public const string ReportsVariable = "TARN_SANITIZE_REPORTS";

    /// <summary>The option that the launch reads: what a process must have in its command line to be checked.</summary>
    public const string ProcessKey = "process";

    private readonly Dictionary<string, string> _options;

    private SanitizerSettings(Dictionary<string, string> options, string? root, string? reports)
    {
        _options = options;
        Root = root;
        Reports = reports;
    }

    /// <summary>The folder of private frameworks, or null outside of <c>tarn sanitize</c>.</summary>
    public string? Root { get; }

    /// <summary>The folder for reports, or null where nobody reads them.</summary>
    public string? Reports { get; }

    /// <summary>All options that are given, for whoever has to say which of them it does not know.</summary>
    public IReadOnlyDictionary<string, string> Options => _options;

    public static SanitizerSettings ReadEnvironment() => new(
        Parse(Environment.GetEnvironmentVariable(OptionsVariable)),
        Environment.GetEnvironmentVariable(RootVariable),
        Environment.GetEnvironmentVariable(ReportsVariable));

    /// <summary>The option's value; <paramref name="otherwise"/> if it is not given.</summary>
    public string? Get(string key, string? otherwise = null) => _options.GetValueOrDefault(key, otherwise!);

    /// <summary>A value may contain colons if no option's name and <c>=</c> follow them, as in <c>log=C:\logs</c>.</summary>
    internal static Dictionary<string, string> Parse(string? text)
    {
        var options = new Dictionary<string, string>(StringComparer.Ordinal);
        string? last = null;
        foreach (string part in (text ?? "").Split(':', StringSplitOptions.RemoveEmptyEntries))
        {
            int equals = part.IndexOf('=');
            if (equals > 0)
            {
                last = part[..equals];
                options[last] = part[(equals + 1)..];
            }
            else if (last is not null)
            {
                options[last] += $":{part}";
            }
        }

        return options;
    }
}

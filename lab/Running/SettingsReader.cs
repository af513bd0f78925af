using System.Collections;
using System.Globalization;
using System.Runtime;
using Tarn.Lab.Peers;

namespace Tarn.Lab.Running;

/// <summary>Settings that affect the measurements.</summary>
internal static class SettingsReader
{
    /// <summary>Names the experiments that a quick run leaves out.</summary>
    public const string LeftOut = "Left out";

    /// <param name="seed">The run's.</param>
    /// <param name="leftOut">Ids of the experiments that the run leaves out although none is named.</param>
    public static IReadOnlyDictionary<string, string> Read(int seed, IReadOnlyList<string> leftOut)
    {
        var settings = new Dictionary<string, string>
        {
            ["Seed"] = seed.ToString(CultureInfo.InvariantCulture),
            ["Garbage collector"] = GCSettings.IsServerGC ? "server" : "workstation",
            ["Concurrent collection"] = GCSettings.LatencyMode == GCLatencyMode.Batch ? "off" : "on",
            ["Tiered compilation"] = AppContext.TryGetSwitch("System.Runtime.TieredCompilation", out bool tiered) && !tiered ? "off" : "on",
            ["Tiered PGO"] = AppContext.TryGetSwitch("System.Runtime.TieredPGO", out bool profiled) && !profiled ? "off" : "on",
            [RecordedPeers.Setting] = PeerList.Describe(),
        };

        if (leftOut.Count > 0)
        {
            settings[LeftOut] = $"{string.Join(", ", leftOut)}; --only with their names runs them, and --full runs everything";
        }

        foreach (DictionaryEntry variable in Environment.GetEnvironmentVariables())
        {
            string name = (string)variable.Key;
            if (ChangesWhatIsMeasured(name))
            {
                settings[name] = (string?)variable.Value ?? "";
            }
        }

        return settings;
    }

    private static bool ChangesWhatIsMeasured(string name) =>
        name.StartsWith("TARN_", StringComparison.Ordinal)
        || name.StartsWith("DOTNET_GC", StringComparison.OrdinalIgnoreCase)
        || name.StartsWith("DOTNET_T", StringComparison.OrdinalIgnoreCase)
        || name.StartsWith("DOTNET_SYSTEM_BUFFERS", StringComparison.OrdinalIgnoreCase)
        || name is "DOTNET_ReadyToRun" or "DOTNET_gcServer" or "GLIBC_TUNABLES";
}

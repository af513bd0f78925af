using System.Collections;
using System.Globalization;
using System.Runtime;
using Tarn.Lab.Contenders.Streams;

namespace Tarn.Lab.Running;

/// <summary>Settings that change what is measured.</summary>
internal static class SettingsReader
{
    public static IReadOnlyDictionary<string, string> Read(int seed)
    {
        var settings = new Dictionary<string, string>
        {
            ["Seed"] = seed.ToString(CultureInfo.InvariantCulture),
            ["Garbage collector"] = GCSettings.IsServerGC ? "server" : "workstation",
            ["Concurrent collection"] = GCSettings.LatencyMode == GCLatencyMode.Batch ? "off" : "on",
            ["Tiered compilation"] = AppContext.TryGetSwitch("System.Runtime.TieredCompilation", out bool tiered) && !tiered ? "off" : "on",
            ["Tiered PGO"] = AppContext.TryGetSwitch("System.Runtime.TieredPGO", out bool profiled) && !profiled ? "off" : "on",
            ["Stream peers"] = StreamPeers.DescribeBuilt(),
        };

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

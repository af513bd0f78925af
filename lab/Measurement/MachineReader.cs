using System.Globalization;
using System.Reflection;
using System.Runtime.InteropServices;
using Tarn.Lab.Model;

namespace Tarn.Lab.Measurement;

/// <summary>Describes this machine, as far as files and the runtime show without another process.</summary>
internal static class MachineReader
{
    private const string ProcessorFile = "/proc/cpuinfo";
    private const string CacheDirectory = "/sys/devices/system/cpu/cpu0/cache";

    public static Machine Read() => new()
    {
        Processor = ReadProcessor(),
        LogicalCores = Environment.ProcessorCount,
        L1DataBytes = ReadCache(level: "1"),
        L2Bytes = ReadCache(level: "2"),
        L3Bytes = ReadCache(level: "3"),
        MemoryBytes = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes,
        OperatingSystem = RuntimeInformation.OSDescription,
        Runtime = RuntimeInformation.FrameworkDescription,
        Sdk = ReadSdk(),
    };

    private static string ReadProcessor()
    {
        string? line = File.Exists(ProcessorFile)
            ? File.ReadLines(ProcessorFile).FirstOrDefault(text => text.StartsWith("model name", StringComparison.Ordinal))
            : null;
        return line?[(line.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim()
            ?? Environment.GetEnvironmentVariable("PROCESSOR_IDENTIFIER")
            ?? RuntimeInformation.ProcessArchitecture.ToString();
    }

    /// <summary>The first cache of a level that holds data, in bytes; 0 if the system does not report it.</summary>
    private static long ReadCache(string level)
    {
        if (!Directory.Exists(CacheDirectory))
        {
            return 0;
        }

        foreach (string directory in Directory.EnumerateDirectories(CacheDirectory, "index*"))
        {
            if (ReadFile(directory, "level") == level && ReadFile(directory, "type") != "Instruction")
            {
                return ParseSize(ReadFile(directory, "size"));
            }
        }

        return 0;
    }

    private static string ReadFile(string directory, string name)
    {
        string path = Path.Combine(directory, name);
        return File.Exists(path) ? File.ReadAllText(path).Trim() : "";
    }

    /// <summary>Reads <c>2048K</c> or <c>32M</c>.</summary>
    internal static long ParseSize(string text)
    {
        int shift = text.Length == 0 ? 0 : text[^1] switch
        {
            'K' => 10,
            'M' => 20,
            'G' => 30,
            _ => 0,
        };
        ReadOnlySpan<char> digits = shift == 0 ? text : text.AsSpan(0, text.Length - 1);
        return long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out long value) ? value << shift : 0;
    }

    /// <summary>The SDK that built the lab; the project file writes it into the assembly.</summary>
    private static string ReadSdk() =>
        typeof(MachineReader).Assembly
            .GetCustomAttributes<AssemblyMetadataAttribute>()
            .FirstOrDefault(data => data.Key == "SdkVersion")?.Value
        ?? "unknown";
}

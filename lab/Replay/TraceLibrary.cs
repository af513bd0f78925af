using Tarn.Traces;

namespace Tarn.Lab.Replay;

/// <summary>The traces that come with the lab.</summary>
internal static class TraceLibrary
{
    private const string Extension = ".trace";

    /// <summary>Names of all, without their ending, in order.</summary>
    public static IReadOnlyList<string> Names { get; } =
    [
        .. Directory.EnumerateFiles(Folder, "*" + Extension)
            .Select(path => Path.GetFileNameWithoutExtension(path)!)
            .Order(StringComparer.Ordinal),
    ];

    private static string Folder => Path.Combine(AppContext.BaseDirectory, "traces");

    /// <exception cref="InvalidDataException">The file is damaged.</exception>
    public static BufferTrace Read(string name) => TraceFile.Read(Path.Combine(Folder, name + Extension));
}

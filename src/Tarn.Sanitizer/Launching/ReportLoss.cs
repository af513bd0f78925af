namespace Tarn.Sanitizing.Launching;

/// <summary>
/// Empty files beside the reports of a run, one for each process that could not write all it had to say. A full disk takes an empty file
/// when it takes no line any more.
/// </summary>
internal static class ReportLoss
{
    private const string Extension = ".lost";

    /// <summary>Notes that this process could not write to the folder. Never throws, and rents nothing.</summary>
    public static void Note(string folder)
    {
        try
        {
            File.Create(Path.Combine(folder, FormattableString.Invariant($"{Environment.ProcessId}{Extension}")), bufferSize: 0).Dispose();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Then the tool sees a report without an end, or none.
        }
    }

    /// <summary>The processes that could not write all they had to say.</summary>
    public static IReadOnlyList<int> Read(string folder) =>
    [
        .. from path in Directory.GetFiles(folder, $"*{Extension}")
           select int.TryParse(Path.GetFileNameWithoutExtension(path), out int id) ? id : 0,
    ];
}

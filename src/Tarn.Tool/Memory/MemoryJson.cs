using System.Text.Json;
using Tarn.Tool.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Memory;

/// <summary>Snapshots as JSON.</summary>
internal static class MemoryJson
{
    /// <summary>Writes a snapshot on several lines.</summary>
    public static string Write(MemorySnapshot snapshot) => JsonText.Of(snapshot);

    /// <summary>Writes a snapshot on one line.</summary>
    public static string WriteLine(MemorySnapshot snapshot) => JsonText.LineOf(snapshot);

    /// <summary>Reads a snapshot that was written.</summary>
    /// <exception cref="RecordingException">The file is none, or has another format.</exception>
    public static MemorySnapshot Read(string path)
    {
        try
        {
            MemorySnapshot snapshot = JsonText.Read<MemorySnapshot>(File.ReadAllText(path));
            return snapshot.Format == MemorySnapshot.CurrentFormat
                ? snapshot
                : throw new RecordingException(
                    $"{path} has the format {snapshot.Format}, and this tool reads {MemorySnapshot.CurrentFormat}: write it anew with "
                    + "tarn memory --json.");
        }
        catch (JsonException exception)
        {
            throw new RecordingException($"{path} is no snapshot of tarn memory --json: {exception.Message}", exception);
        }
    }
}

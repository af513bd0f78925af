using System.Globalization;

namespace Tarn;

/// <summary>The incidents of one kind, from one source, at one place.</summary>
/// <param name="Kind">The kind of misuse.</param>
/// <param name="SourceName">The pool or heap the buffers came from.</param>
/// <param name="Place">The place, as in <see cref="BufferIncident.Place"/>; null if no stack was captured.</param>
/// <param name="Count">The number of incidents.</param>
/// <param name="First">The first incident.</param>
/// <param name="Last">The most recent incident; the first one if there is only one.</param>
public sealed record BufferIncidentGroup(
    BufferIncidentKind Kind, string SourceName, string? Place, long Count, BufferIncident First, BufferIncident Last)
{
    /// <summary>Returns a description of the group in a few lines: its count, kind and place.</summary>
    /// <returns>The text, without a line break at the end.</returns>
    public override string ToString()
    {
        string count = string.Create(CultureInfo.InvariantCulture, $"{Count} × {Kind} of a buffer of {SourceName}");
        return Place is null ? count : $"{count}{Environment.NewLine}   {Place.ReplaceLineEndings($"{Environment.NewLine}   ")}";
    }
}

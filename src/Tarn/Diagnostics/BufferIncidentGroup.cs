using System.Globalization;

namespace Tarn;

/// <summary>The incidents of one kind that one source had at one place.</summary>
/// <param name="Kind">What was found.</param>
/// <param name="SourceName">The pool or heap the buffers came from.</param>
/// <param name="Place">Where, as <see cref="BufferIncident.Place"/> says it; null where no stack was captured.</param>
/// <param name="Count">How many there were.</param>
/// <param name="First">The first of them.</param>
/// <param name="Last">The last of them so far; the first again where there is one.</param>
public sealed record BufferIncidentGroup(
    BufferIncidentKind Kind, string SourceName, string? Place, long Count, BufferIncident First, BufferIncident Last)
{
    /// <summary>The group in a few lines: how often, what, where.</summary>
    /// <returns>The text; it ends without a line break.</returns>
    public override string ToString()
    {
        string count = string.Create(CultureInfo.InvariantCulture, $"{Count} × {Kind} of a buffer of {SourceName}");
        return Place is null ? count : $"{count}{Environment.NewLine}   {Place.ReplaceLineEndings($"{Environment.NewLine}   ")}";
    }
}

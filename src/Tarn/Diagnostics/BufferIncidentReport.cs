using System.Globalization;
using System.Text;

namespace Tarn;

/// <summary>Every incident of the process so far, grouped by kind, source and place.</summary>
/// <param name="Groups">
/// The groups, the most frequent first; among equals, the older first. A process keeps 256 groups; incidents that belong to none of them
/// are only counted.
/// </param>
/// <param name="Count">All incidents so far.</param>
/// <param name="Ungrouped">The incidents that are in no group, because the process already keeps the most groups.</param>
public sealed record BufferIncidentReport(IReadOnlyList<BufferIncidentGroup> Groups, long Count, long Ungrouped)
{
    /// <summary>Returns the report as text: the number of incidents, then each group with its place.</summary>
    /// <returns>The text, without a line break at the end.</returns>
    public override string ToString()
    {
        StringBuilder text = new();
        text.Append(CultureInfo.InvariantCulture, $"{Count} incidents, {Groups.Count} groups of one kind, source and place");
        foreach (BufferIncidentGroup group in Groups)
        {
            text.AppendLine().Append(group);
        }

        return Ungrouped == 0 ? text.ToString()
            : text.AppendLine().Append(CultureInfo.InvariantCulture, $"{Ungrouped} × in no group: there are too many groups").ToString();
    }
}

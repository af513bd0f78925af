using System.Globalization;
using System.Text;

namespace Tarn;

/// <summary>Every incident of the process so far, grouped by kind, source and place.</summary>
/// <param name="Groups">
/// The groups, the most frequent first, of equals the older. A process keeps 256; incidents that belong to none of these are only counted.
/// </param>
/// <param name="Count">All incidents so far.</param>
/// <param name="Ungrouped">Those of them that are in no group, because the process has as many groups as it keeps.</param>
public sealed record BufferIncidentReport(IReadOnlyList<BufferIncidentGroup> Groups, long Count, long Ungrouped)
{
    /// <summary>The report in words: how many incidents, then each group with its place.</summary>
    /// <returns>The text; it ends without a line break.</returns>
    public override string ToString()
    {
        StringBuilder text = new();
        text.Append(CultureInfo.InvariantCulture, $"{Count} incidents, {Groups.Count} groups of one kind, source and place");
        foreach (BufferIncidentGroup group in Groups)
        {
            text.AppendLine().Append(group);
        }

        return Ungrouped == 0 ? text.ToString()
            : text.AppendLine().Append(CultureInfo.InvariantCulture, $"{Ungrouped} × in no group: there are no more groups").ToString();
    }
}

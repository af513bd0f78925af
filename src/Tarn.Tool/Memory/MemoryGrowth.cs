using Tarn.Tool.Reports;

namespace Tarn.Tool.Memory;

/// <summary>What changed between two snapshots of a process. Sizes are bytes.</summary>
/// <param name="Seconds">The time between them.</param>
/// <param name="ResidentBytes">By how much the resident memory grew; negative if it shrank.</param>
/// <param name="Sentence">The growth in words.</param>
/// <param name="Items">What grew and what shrank, the largest change first.</param>
internal sealed record MemoryGrowth(double Seconds, long ResidentBytes, string Sentence, IReadOnlyList<MemoryGrowth.Item> Items)
{
    private const int NamedItems = 3;

    /// <summary>Compares two snapshots.</summary>
    public static MemoryGrowth Between(MemorySnapshot before, MemorySnapshot after)
    {
        Dictionary<(MemoryGroupKind, string), long> was = Flatten(before);
        Dictionary<(MemoryGroupKind, string), long> now = Flatten(after);
        Item[] items =
        [
            .. was.Keys.Union(now.Keys)
                .Select(key => new Item(key.Item1, key.Item2, now.GetValueOrDefault(key) - was.GetValueOrDefault(key)))
                .Where(item => item.Bytes != 0)
                .OrderByDescending(item => Math.Abs(item.Bytes)).ThenBy(item => item.Name, StringComparer.Ordinal),
        ];
        long grown = after.ResidentBytes - before.ResidentBytes;
        TimeSpan time = after.At - before.At;
        return new MemoryGrowth(time.TotalSeconds, grown, Describe(time, grown, items, before.Process == after.Process), items);
    }

    /// <summary>Such as <c>+412 MiB</c>.</summary>
    public static string Signed(long bytes) => $"{(bytes < 0 ? "−" : "+")}{Words.Bytes(Math.Abs((double)bytes))}";

    private static string Describe(TimeSpan time, long grown, Item[] items, bool isSameProcess)
    {
        string span = isSameProcess ? $"In {Words.Span(time)}" : "Compared with another process";
        Item[] named = [.. items.Where(item => Math.Sign(item.Bytes) == Math.Sign(grown)).Take(NamedItems)];
        string parts = string.Join(", ", named.Select(item => $"{item.Name} {Words.Bytes(Math.Abs((double)item.Bytes))}"));
        return named.Length == 0 ? $"{span}: {Signed(grown)}." : $"{span}: {Signed(grown)}, of which {parts}.";
    }

    private static Dictionary<(MemoryGroupKind, string), long> Flatten(MemorySnapshot snapshot)
    {
        Dictionary<(MemoryGroupKind, string), long> bytes = [];
        foreach (MemoryGroup group in snapshot.Groups)
        {
            foreach (MemoryItem item in group.Items.Where(item => !item.IsWithinOthers))
            {
                bytes[(group.Kind, item.Name)] = bytes.GetValueOrDefault((group.Kind, item.Name)) + item.Bytes;
            }
        }

        return bytes;
    }

    /// <summary>An item that grew or shrank.</summary>
    /// <param name="Group">Its group.</param>
    /// <param name="Name">Its name.</param>
    /// <param name="Bytes">By how much it grew; negative if it shrank.</param>
    internal sealed record Item(MemoryGroupKind Group, string Name, long Bytes);
}

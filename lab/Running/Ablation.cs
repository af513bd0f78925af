namespace Tarn.Lab.Running;

/// <summary>
/// One mechanism of the library, and the replacements of source text that take it away. What a run without it shows is what the mechanism
/// is worth.
/// </summary>
/// <remarks>
/// The library has no switches: a build without a mechanism is made from a copy of its sources. A test verifies that each text stands in
/// its file once.
/// </remarks>
internal sealed record Ablation(string Name, string Takes, params (string File, string Text, string Instead)[] Replacements)
{
    /// <summary>The experiment that has the loads of the engine that the mechanism belongs to, or of both.</summary>
    public string Experiment => IsAllIn("ArrayPool/") ? "against-pool" : IsAllIn("NativeHeap/") ? "against-heap" : "against";

    private const string Room = "Caching/ThreadRoom.cs";
    private const string Class = "ArrayPool/ArrayClass.cs";
    private const string Rule = "Caching/ClassRoom.cs";
    private const string Core = "ArrayPool/PoolCore.cs";
    private const string Slow = "ArrayPool/BufferPool.Slow.cs";
    private const string Cache = "ArrayPool/ArrayClassCache.cs";

    public static IReadOnlyList<Ablation> All { get; } =
    [
        new("alone", "a larger allowance for a thread that alone uses the pool", (Room, "IsAlone ? Most : Math.Min", "Math.Min")),
        new("depots-share", "allowances in proportion to the depots' places", (Room, "(Depots / DepotsDivisor)", "0")),
        new("guaranteed", "an allowance of each small class for each thread", (Class, "MostGuaranteed = 16;", "MostGuaranteed = 0;")),
        new("growth", "allowances that double, in both engines", (Rule, "Math.Max(First, 2 * room)", "First")),
        new(
            "one-way",
            "larger batches for threads that only rent or only return, in both engines",
            (Rule, "return _run == OneWayAfter;", "return _run > OneWayAfter;"),
            (Rule, "return _run == -OneWayAfter;", "return _run < -OneWayAfter;")),
        new(
            "magazine-first",
            "returns to the magazine before the top slot",
            (
                "ArrayPool/BufferPool.cs",
                "if ((uint)count >= (uint)items.Length)",
                "if ((uint)count >= (uint)items.Length || (entry.IsTopFree == 0 && items != CacheSection.Revoked))")),
        new(
            "second-tier",
            "the plain way from an entry to the depot",
            (Slow, "entry.Cache is { } cache && _core", "entry.Cache is { Shared.Length: < 0 } cache && _core"),
            (Slow, "if (entry.Cache is not { } cache", "if (entry.Cache is not { Shared.Length: < 0 } cache")),
        new(
            "bypass",
            "calls past the section where a thread was refused a place, in both engines",
            (Rule, "private const int Calls = 15;", "private const int Calls = 0;")),
        new(
            "left-in-depot",
            "a thread that only rents grows only if the depot had buffers left",
            (Cache, "isOneWay && _leftInDepot >= Slots", "isOneWay")),
        new(
            "slots-move",
            "places that go to the depot with their buffers at the cap",
            ("ArrayPool/ArrayClassCache.Room.cs", "placing == Placing.NoRoom && handed > 1", "placing == Placing.NoRoom && handed < 0")),
        new("longer", "a longer array where the depot has many", (Core, "(needsOwn && !isAtCap)", "!isAtCap")),
        new("longer-of-many", "a longer array only of a depot with many", (Core, "longer.Depot.HasMany", "longer.Depot.Count > 0")),
        new(
            "own-after-none",
            "a new array for a thread after some longer ones in a row",
            (Cache, "MostLonger = 8;", "MostLonger = int.MaxValue;")),
        new("longer-at-cap", "a longer array at the cap", (Core, "bool isAtCap = IsAtCap(shared);", "bool isAtCap = false;")),
        new(
            "late-section",
            "depots alone for the first uses of a thread and of a pool",
            ("ArrayPool/PoolThreads.cs", "UsesBeforeSection = 4;", "UsesBeforeSection = 1;")),
        new(
            "ended-threads",
            "the cache of an ended thread taken over at an empty depot",
            (Core, "(section = JoinedSection()) is null", "(section = null) is null")),
        new("one-in-eight", "replacing a depot's buffers at the cap", ("ArrayPool/RoomSearch.cs", "% RefusalsPerSearch == 0", "< 0")),
        new(
            "parking",
            "parking magazines at a tick",
            ("ArrayPool/ArrayClassCache.Trim.cs", "else if (_parked is null && Entry.Items.Length > 0)", "else if (now < TimeSpan.Zero)")),
        new("thread-caches", "caches of threads", (Core, "hasThreadCaches ? Math.Min", "Environment.TickCount64 < 0 ? Math.Min")),
        new("heap-depots", "depots of blocks", ("NativeHeap/BlockDepot.cs", "if (count > most ||", "if (most > 0 ||")),
        new(
            "heap-depots-direct",
            "depots for the blocks beyond a thread's allowance",
            ("NativeHeap/BlockClassCache.cs", "shared.GiveToDepot([block], now);", "shared.GiveToSlabs([block], now);"),
            ("NativeHeap/HeapCore.cs", "shared.GiveToDepot([block], TickedAt);", "shared.GiveToSlabs([block], TickedAt);")),
        new(
            "heap-blocks-due",
            "a budget that covers kept blocks rather than their slabs",
            ("NativeHeap/BlockClass.cs", "if (_slabs.OutCount > kept)", "if (_slabs.OutCount < 0)")),
        new("fullest-slabs", "blocks of fuller slabs first", ("NativeHeap/SlabClass.cs", "Groups = 4;", "Groups = 1;")),
        new("near-sizes", "large buffers resized at the bound", ("NativeHeap/LargeBuffers.Resize.cs", "!Exceeds(size)", "size > 0")),
        new("large-bound", "a bound of large buffers", ("NativeHeap/LargeBuffers.cs", "Spare = 8 << 20;", "Spare = long.MaxValue / 2;")),
    ];

    /// <exception cref="InvalidDataException">There is no such mechanism.</exception>
    public static Ablation Find(string name) =>
        All.FirstOrDefault(ablation => ablation.Name == name) ?? throw new InvalidDataException(
            $"--without {name}: there is no such mechanism. Known are:{Environment.NewLine}"
            + string.Join(Environment.NewLine, All.Select(static ablation => $"  {ablation.Name,-14} {ablation.Takes}")));

    private bool IsAllIn(string folder) => Array.TrueForAll(Replacements, one => one.File.StartsWith(folder, StringComparison.Ordinal));

    /// <summary>Takes the mechanism away in a copy of the sources.</summary>
    /// <param name="library">The folder of the copy, src/Tarn.</param>
    /// <exception cref="InvalidDataException">A text is not in its file exactly once.</exception>
    public void Apply(string library)
    {
        foreach ((string file, string text, string instead) in Replacements)
        {
            string path = Path.Combine(library, file);
            string source = File.ReadAllText(path);
            if (source.Split(text).Length != 2)
            {
                throw new InvalidDataException($"--without {Name}: {file} does not have \"{text}\" exactly once.");
            }

            File.WriteAllText(path, source.Replace(text, instead, StringComparison.Ordinal));
        }
    }
}

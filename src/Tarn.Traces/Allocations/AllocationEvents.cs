using System.Diagnostics.Tracing;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Etlx;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

namespace Tarn.Traces;

/// <summary>Reads the runtime's events of allocations and collections.</summary>
/// <remarks>
/// From .NET 10 on, the runtime samples each byte with the same chance, so an object of some bytes is sampled with a chance that is known,
/// and stands for as many objects as its inverse. Bytes of a sum of samples have the variance of independent draws with these chances.
/// </remarks>
/// <param name="isRandom">Whether the runtime samples so.</param>
/// <param name="isFollowed">Whether to follow the sampled objects through collections.</param>
internal sealed class AllocationEvents(bool isRandom, bool isFollowed)
{
    private const string Source = "Microsoft-Windows-DotNETRuntime";
    private const long Collections = 0x1;
    private const long Survivors = 0x40_0000;
    private const long CollectNow = 0x80_0000;
    private const long Sampling = 0x800_0000_0000;
    private const int MostSamples = 4 << 20;

    private readonly List<AllocationSample> _samples = [];
    private readonly List<RecordedCollection> _collections = [];
    private readonly TypeNumbers _types = new();
    private readonly FollowedObjects? _followed = isFollowed ? new() : null;

    internal IReadOnlyList<AllocationSample> Samples => _samples;

    internal IReadOnlyList<RecordedCollection> Collected => _collections;

    /// <summary>What became of each sample's object; null if they were not followed, or if there were more samples than are kept.</summary>
    internal IReadOnlyList<ObjectFate>? Fates => _samples.Count < MostSamples ? _followed?.Fates : null;

    /// <summary>The types in the order of their numbers.</summary>
    internal IReadOnlyList<string> Types => _types.Types;

    /// <summary>Whether a runtime samples each byte with the same chance.</summary>
    internal static bool IsRandomIn(string runtime) =>
        Version.TryParse(runtime.Replace(".NET ", "", StringComparison.Ordinal).Split('-', '+')[0], out Version? version)
        && version.Major >= 10;

    /// <summary>The event source by which a process collects all its garbage, while a session with it starts.</summary>
    internal static EventPipeProvider[] Collection { get; } = [new(Source, EventLevel.Informational, CollectNow)];

    /// <summary>The event sources.</summary>
    internal EventPipeProvider[] Providers() => isRandom
        ? [new(Source, EventLevel.Informational, Collections | Sampling | (isFollowed ? Survivors : 0))]
        : [new(Source, EventLevel.Verbose, Collections)];

    /// <summary>Asks a source for the events.</summary>
    internal void Subscribe(TraceLogEventSource source, StackReader stacks)
    {
        source.Clr.GCStart += one => _collections.Add(new RecordedCollection(
            one.Depth,
            one.Reason is GCReason.AllocLarge or GCReason.OutOfSpaceLOH,
            one.Reason is GCReason.AllocSmall or GCReason.AllocLarge or GCReason.OutOfSpaceSOH or GCReason.OutOfSpaceLOH));
        if (_followed is not null)
        {
            Follow(source, _followed);
        }

        if (isRandom)
        {
            source.Clr.AllocationSampling += one => AddRandom(one, stacks);
        }
        else
        {
            source.Clr.GCAllocationTick += one => AddTick(one, stacks);
        }
    }

    private static void Follow(TraceLogEventSource source, FollowedObjects followed)
    {
        source.Clr.GCStart += one => followed.Start(one.Count, one.Depth, one.Type == GCType.BackgroundGC);
        source.Clr.GCStop += one => followed.End(one.Count);
        source.Clr.GCGenerationRange += one => followed.AddGeneration(one.Generation, one.RangeStart, (ulong)one.RangeReservedLength);
        source.Clr.GCBulkSurvivingObjectRanges += one =>
        {
            for (int index = 0; index < one.Count; index++)
            {
                GCBulkSurvivingObjectRangesValues range = one.Values(index);
                followed.AddSurvivors(range.RangeBase, range.RangeBase, (ulong)range.RangeLength);
            }
        };
        source.Clr.GCBulkMovedObjectRanges += one =>
        {
            for (int index = 0; index < one.Count; index++)
            {
                GCBulkMovedObjectRangesValues range = one.Values(index);
                followed.AddSurvivors(range.OldRangeBase, range.NewRangeBase, (ulong)range.RangeLength);
            }
        };
    }

    private void AddRandom(AllocationSampledTraceData one, StackReader stacks)
    {
        double chance = 1 - Math.Exp(-(double)one.ObjectSize / AllocationRecording.Interval);
        double variance = one.ObjectSize * (double)one.ObjectSize * (1 - chance) / (chance * chance);
        bool isLarge = one.AllocationKind != GCAllocationKind.Small;
        if (Add(one.TypeName, one.ObjectSize, isLarge, stacks.Whole(one.CallStackIndex()), 1 / chance, variance))
        {
            _followed?.Add(one.Address);
        }
    }

    /// <summary>The object stands for all that was allocated since the one before.</summary>
    private void AddTick(GCAllocationTickTraceData one, StackReader stacks)
    {
        bool hasOverflowed = false;
        double amount = one.GetAllocAmount(ref hasOverflowed);
        long size = one.ObjectSize > 0 ? one.ObjectSize : (long)amount;
        amount = Math.Max(amount, size);
        _ = Add(
            one.TypeName, size, one.AllocationKind != GCAllocationKind.Small, stacks.Whole(one.CallStackIndex()), amount / size,
            amount * amount);
    }

    private bool Add(string type, long bytes, bool isLarge, int stack, double objects, double variance)
    {
        if (_samples.Count == MostSamples)
        {
            return false;
        }

        _samples.Add(new AllocationSample(_types.Of(type), bytes, isLarge, stack, objects, variance));
        return true;
    }
}

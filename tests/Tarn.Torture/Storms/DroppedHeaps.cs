using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Tarn.Torture.Attacks;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Storms;

/// <summary>
/// Heaps whose owners dispose them in their finalizers: before or after the heap's own finalizer, twice, and while other heaps take the
/// indices of those that are gone. No two living heaps ever share an index, or a block.
/// </summary>
/// <remarks>All members are safe to call from any thread.</remarks>
internal sealed unsafe class DroppedHeaps(TrimClock clock)
{
    private const int MostPutOff = 5;
    private const int Blocks = 20;
    private const string Leaky = "dropped with leaks";

    private readonly ConcurrentQueue<string> _failures = [];
    private int _finalized;

    /// <summary>The violations found.</summary>
    internal IReadOnlyCollection<string> Failures => _failures;

    /// <summary>How many owners disposed their heap.</summary>
    internal int Finalized => Volatile.Read(ref _finalized);

    /// <summary>
    /// Creates owners with heaps of every kind, and keeps none of them. Returns their number. Each heap that looks for leaks may report its
    /// buffer twice: the buffer's own finalizer and the heap's end do not know of each other.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal int Drop(AttackContext context)
    {
        context.Expect(Makes, most: 2 * (MostPutOff + 1));
        int dropped = 0;
        foreach (BufferChecks checks in (BufferChecks[])[BufferChecks.None, BufferChecks.Returns, BufferChecks.Leaks])
        {
            for (int putOff = 0; putOff <= MostPutOff; putOff++)
            {
                NativeHeap heap = Create(checks);
                Use(heap);
                _ = new Owner(this, heap, heap.AllocateBuffer<byte>(1000), putOff);
                dropped++;
            }
        }

        return dropped;
    }

    /// <summary>Heaps that are made now share nothing with each other.</summary>
    internal void VerifyNew()
    {
        NativeHeap[] heaps = [Create(BufferChecks.None), Create(BufferChecks.None), Create(BufferChecks.None)];
        Require.Equal(heaps.Length, heaps.Select(static heap => heap.Core.Index).Distinct().Count(), "Indices of living heaps");
        HashSet<nint> blocks = [.. heaps.SelectMany(static heap => Enumerable.Range(0, Blocks).Select(_ => (nint)heap.Allocate(64)))];
        Require.Equal(Blocks * heaps.Length, blocks.Count, "Blocks of living heaps");
        Array.ForEach(heaps, static heap => heap.Dispose());
    }

    /// <summary>
    /// Whether this is a leak that a storm makes: an owner that puts its finalizer off leaves its buffer to the buffer's own, which reports
    /// it if the heap looks for leaks. Nothing else that its heaps report is its doing.
    /// </summary>
    private static bool Makes(BufferIncident incident) => incident is { Kind: BufferIncidentKind.Leak, SourceName: Leaky };

    private static void Use(NativeHeap heap) => heap.Free(heap.Allocate(64), 64);

    private NativeHeap Create(BufferChecks checks) => new(new NativeHeapOptions
    {
        Name = checks.HasFlag(BufferChecks.Leaks) ? Leaky : "dropped",
        Checks = checks,
        Clock = clock,
    });

    private void Finish(NativeHeap heap, NativeBuffer<byte> buffer)
    {
        try
        {
            ((IDisposable)buffer).Dispose();
            using NativeHeap before = Create(BufferChecks.None);
            Use(before);
            heap.Dispose();
            heap.Dispose();
            ((IDisposable)buffer).Dispose();
            using NativeHeap after = Create(BufferChecks.None);
            Use(after);
            Require.That(before.Core.Index != after.Core.Index, $"Two living heaps have the index {after.Core.Index}.");
        }
#pragma warning disable CA1031 // a finalizer must not take the process down; the attack fails with the exception
        catch (Exception e)
#pragma warning restore CA1031
        {
            _failures.Enqueue(e.ToString());
        }

        Interlocked.Increment(ref _finalized);
    }

    private sealed class Owner(DroppedHeaps all, NativeHeap heap, NativeBuffer<byte> buffer, int putOff)
    {
        private int _left = putOff;

        ~Owner()
        {
            if (_left-- > 0)
            {
                GC.ReRegisterForFinalize(this);
                return;
            }

            all.Finish(heap, buffer);
        }
    }
}

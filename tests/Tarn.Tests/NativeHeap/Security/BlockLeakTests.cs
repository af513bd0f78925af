using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps.Security;

[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public unsafe class BlockLeakTests
{
    [Fact]
    public void Blocks_in_use_when_the_heap_is_disposed_are_reported_one_incident_a_stack()
    {
        CheckedHeapUnderTest heap = new(BufferChecks.Leaks);
        using IncidentLog incidents = new(heap.Name);
        for (int i = 0; i < 10; i++)
        {
            LeakHere(heap, 30);
            heap.Free(LeakHere(heap, 500));
        }

        LeakThere(heap, 1000);
        heap.Dispose();
        IncidentLog.WaitUntilHandled();

        Assert.Equal([1000, 300], incidents.All.Select(leak => leak.SizeInBytes).OrderDescending());
        Assert.All(incidents.All, leak => Assert.Equal((BufferIncidentKind.Leak, null), (leak.Kind, leak.ReturnedAt)));
        BufferIncident here = incidents.All.Single(leak => leak.SizeInBytes == 300);
        Assert.Contains(nameof(LeakHere), here.RentedAt, StringComparison.Ordinal);
        Assert.Contains("10 blocks were not freed", here.Detail, StringComparison.Ordinal);
        Assert.Contains(nameof(LeakThere), incidents.All.Single(leak => leak.SizeInBytes == 1000).RentedAt, StringComparison.Ordinal);
    }

    [Fact]
    public void One_block_in_128_is_reported_when_leaks_are_sampled()
    {
        CheckedHeapUnderTest heap = new(BufferChecks.SampledLeaks);
        using IncidentLog incidents = new(heap.Name);
        for (int i = 0; i < 128 * 3; i++)
        {
            LeakHere(heap, 10);
        }

        heap.Dispose();

        Assert.Equal(30, incidents.WaitForOne().SizeInBytes);
    }

    [Theory]
    [InlineData(BufferChecks.Leaks)]
    [InlineData(BufferChecks.SampledLeaks)]
    [InlineData(BufferChecks.All)]
    public void Freed_blocks_are_no_leaks(BufferChecks checks)
    {
        CheckedHeapUnderTest heap = new(checks);
        using IncidentLog incidents = new(heap.Name);
        for (int i = 0; i < 300; i++)
        {
            heap.Free(heap.Reallocate(heap.Allocate(10), 10, 20), 20);
        }

        heap.Dispose();

        incidents.AssertNone();
    }

    [Fact]
    public void Without_a_check_for_leaks_none_is_reported()
    {
        CheckedHeapUnderTest heap = new(BufferChecks.Returns | BufferChecks.UseAfterReturn);
        using IncidentLog incidents = new(heap.Name);
        LeakHere(heap, 10);
        heap.Dispose();

        incidents.AssertNone();
    }

    [Fact]
    public void Checks_for_leaks_alone_keep_nothing_and_take_the_size_as_it_comes()
    {
        using CheckedHeapUnderTest heap = new(BufferChecks.Leaks);
        byte* block = heap.Allocate(100);
        heap.Free(block, 112);

        Assert.Equal((0, 0), (heap.InUseBlocks, heap.RetainedBytes));
        Assert.Throws<InvalidOperationException>(() => heap.Free(block, 112));
    }

    [Fact]
    public void Blocks_of_a_heap_that_was_dropped_are_reported()
    {
        string name = $"dropped {Guid.NewGuid()}";
        using IncidentLog incidents = new(name);
        DropHeap(name);

        Eventually.TrueAfterCollections(() => incidents.Count > 0, "the leak is reported");

        BufferIncident leak = incidents.WaitForOne();
        Assert.Equal((BufferIncidentKind.Leak, 77L), (leak.Kind, leak.SizeInBytes));
        Assert.Contains(nameof(LeakHere), leak.RentedAt, StringComparison.Ordinal);
    }

    [Fact]
    public void Blocks_that_their_owner_s_finalizer_frees_are_no_leaks()
    {
        string name = $"finalized {Guid.NewGuid()}";
        using IncidentLog incidents = new(name);
        WeakReference owner = DropOwners(name);
        string sentinelName = $"sentinel {Guid.NewGuid()}";
        using IncidentLog sentinel = new(sentinelName);
        Eventually.TrueAfterCollections(() => !owner.IsAlive, "the owner is finalized");
        DropHeap(sentinelName);

        Eventually.TrueAfterCollections(() => sentinel.Count > 0, "a real leak is reported");

        incidents.AssertNone();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte* LeakHere(CheckedHeapUnderTest heap, nuint size) => heap.Allocate(size);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte* LeakThere(CheckedHeapUnderTest heap, nuint size) => heap.Allocate(size);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void DropHeap(string name) =>
        LeakHere(new CheckedHeapUnderTest(BufferChecks.Leaks, new NativeHeapOptions { Name = name }), 77);

    /// <summary>One owner is older than its heap and one younger, so that one of them is finalized after it.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference DropOwners(string name)
    {
        Owner older = new();
        CheckedHeapUnderTest heap = new(BufferChecks.Leaks, new NativeHeapOptions { Name = name });
        Owner younger = new();
        older.AllocateFrom(heap);
        younger.AllocateFrom(heap);
        return new WeakReference(younger, trackResurrection: true);
    }

    /// <summary>As a buffer that was forgotten: it and its heap become garbage together.</summary>
#pragma warning disable CA1001 // the test is about its finalizer, which frees
    private sealed class Owner
#pragma warning restore CA1001
    {
        private CheckedHeapUnderTest? _heap;
        private nuint _block;

        ~Owner()
        {
            // A heap that reported leaks at its first finalization would have done so by now.
            SpinWait.SpinUntil(static () => ThreadPool.PendingWorkItemCount == 0, TimeSpan.FromSeconds(5));
            Thread.Sleep(100);
            _heap!.Free((void*)_block);
        }

        internal void AllocateFrom(CheckedHeapUnderTest heap)
        {
            _heap = heap;
            _block = (nuint)LeakHere(heap, 10);
        }
    }
}

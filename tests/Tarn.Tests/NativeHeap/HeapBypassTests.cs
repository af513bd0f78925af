using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>
/// A thread that was refused room of a class takes and frees its blocks past its section, and asks again after some calls.
/// </summary>
public sealed unsafe class HeapBypassTests : HeapWithManualClock
{
    private const nuint Size = 64 << 10;
    private const int Pairs = 7;

    private readonly Worker _thread = new();
    private readonly NativeHeap _heap;

    /// <summary>The room that others have: all there is, so that the thread is refused any.</summary>
    private long _others;

    public HeapBypassTests()
    {
        _heap = Create();
        _others = _heap.Core.Budget.Limit / 2;
        Assert.True(_heap.Core.ThreadRoom.TryReserve(_others, isGuaranteed: true));
        _thread.Run(() => Free(_heap, Size, Allocate(_heap, Size, 1)));
    }

    [Fact]
    public void Its_calls_take_no_lock_of_the_section()
    {
        _thread.Run(() => Free(_heap, Size, Allocate(_heap, Size, 20)));
        HeapSection section = _thread.Run(() => _heap.Core.FindSection()!);
        AskAgain();
        using (section.Sync.Hold())
        {
            bool ended = _thread.TryRun(() => AllocateAndFreeInTurn(Pairs), TimeSpan.FromSeconds(20));
            Assert.True(ended, "a call waits for the lock of its thread's section");
        }

        End();
    }

    [Fact]
    public void It_gets_room_once_others_have_given_theirs_back()
    {
        AskAgain();
        GiveBack();
        _thread.Run(() => AllocateAndFreeInTurn(2 * Pairs));

        Assert.NotEqual(0, _thread.Run(() => CacheOf().Room));
        _heap.Validate();
    }

    [Fact]
    public void Its_blocks_are_counted_and_wait_in_the_depot()
    {
        long before = _heap.Core.Count().Rented;
        _thread.Run(() => Free(_heap, Size, Allocate(_heap, Size, 50)));

        Assert.Equal(before + 50, _heap.Core.Count().Rented);
        Assert.Equal(0, _heap.GetStatistics().InUseBlocks);
        Assert.InRange(_heap.Core.Classes[(int)BlockSizes.IndexOf(Size)].DepotCount, 50, 51);
        End();
    }

    protected override void Dispose(bool disposing)
    {
        _thread.Dispose();
        base.Dispose(disposing);
    }

    private BlockClassCache CacheOf() => _heap.Core.FindSection()!.Classes[(int)BlockSizes.IndexOf(Size)]!;

    /// <summary>Makes calls until one has asked for room in vain, and the next ones bypass the section.</summary>
    private void AskAgain() => _thread.Run(() =>
    {
        while (CacheOf().BypassesSection())
        {
        }

        Free(_heap, Size, Allocate(_heap, Size, 1));
    });

    private void AllocateAndFreeInTurn(int pairs)
    {
        for (int pair = 0; pair < pairs; pair++)
        {
            _heap.Free(_heap.Allocate(Size), Size);
        }
    }

    private void GiveBack()
    {
        _heap.Core.ThreadRoom.Release(_others);
        _others = 0;
    }

    private void End()
    {
        GiveBack();
        _heap.Validate();
    }
}

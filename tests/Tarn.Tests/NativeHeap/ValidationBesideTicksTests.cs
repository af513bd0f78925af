using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>
/// The equations of a heap hold while its clock ticks all the time, and the tick of another clock's heap sweeps the threads that ended:
/// tests check them beside the clock that all heaps share.
/// </summary>
public sealed unsafe class ValidationBesideTicksTests
{
    private const int Rounds = 100;

    [Fact]
    public void The_equations_of_a_heap_hold_between_two_ticks()
    {
        TrimClock[] clocks = [CreateClock(), CreateClock()];
        using NativeHeap heap = Create(clocks[0]);
        using NativeHeap other = Create(clocks[1]);
        bool isOver = false;
        Thread[] ticking = [.. clocks.Select(clock => new Thread(() =>
        {
            while (!Volatile.Read(ref isOver))
            {
                clock.Tick();
                Thread.Sleep(0);
            }
        }))];
        Array.ForEach(ticking, static thread => thread.Start());
        try
        {
            for (int round = 0; round < Rounds; round++)
            {
                Worker.RunOnce(() =>
                {
                    Use(heap);
                    Use(other);
                });
                heap.Validate();
            }
        }
        finally
        {
            Volatile.Write(ref isOver, true);
            Array.ForEach(ticking, static thread => thread.Join());
        }

        Assert.Equal(0, heap.GetStatistics().InUseBlocks);
    }

    private static TrimClock CreateClock() => new(TimeProvider.System, static () => false, followsCollections: false);

    private static NativeHeap Create(TrimClock clock) => new(new NativeHeapOptions
    {
        Checks = BufferChecks.None,
        IdleTimeout = TimeSpan.FromMilliseconds(1),
        Clock = clock,
    });

    private static void Use(NativeHeap heap)
    {
        nint[] blocks = [.. Enumerable.Range(0, 60).Select(index => (nint)heap.Allocate(SizeOf(index)))];
        for (int index = 0; index < blocks.Length; index++)
        {
            heap.Free((void*)blocks[index], SizeOf(index));
        }
    }

    private static nuint SizeOf(int index) => (nuint)(16 << (index % 15));
}

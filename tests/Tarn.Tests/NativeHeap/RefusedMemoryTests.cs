using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>An operating system that refuses: each call in its turn, once or from then on.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed unsafe class RefusedMemoryTests
{
    private readonly ManualClock _clock = new();

    private NativeHeapOptions Options => new()
    {
        MaxRetainedBytes = 32 << 20,
        IdleTimeout = TimeSpan.FromSeconds(1),
        Checks = BufferChecks.None,
        Clock = _clock.Trim,
    };

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Every_call_refused_in_its_turn(bool andAllAfter) => RefuseEach(Options, andAllAfter, step: 1);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Every_call_refused_while_nothing_may_be_kept(bool andAllAfter) =>
        RefuseEach(new NativeHeapOptions(Options) { MaxRetainedBytes = 0 }, andAllAfter, step: 7);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Every_call_refused_with_clearing_and_memory_pressure(bool andAllAfter) =>
        RefuseEach(new NativeHeapOptions(Options) { ClearOnFree = true, AddMemoryPressure = true }, andAllAfter, step: 5);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Every_call_refused_with_all_checks(bool andAllAfter) =>
        RefuseEach(new NativeHeapOptions(Options) { Checks = BufferChecks.All }, andAllAfter, step: StressLength.IsLong ? 11 : 31);

    [Fact]
    public void A_system_that_refuses_everything_is_survived_and_recovered_from()
    {
        FailingMemory memory = new() { DecommittedMemoryFaults = true };
        using (NativeHeap heap = new(new NativeHeapOptions(Options) { Memory = memory }))
        {
            memory.Refuse(1, andAllAfter: true);
            foreach (nuint size in (nuint[])[1, 1000, 100_000, 1 << 20])
            {
                for (int i = 0; i < 3; i++)
                {
                    Assert.ThrowsAny<OutOfMemoryException>(() => { heap.Allocate(size); });
                }
            }

            Assert.Equal((0, 0), (heap.GetStatistics().InUseBytes, heap.GetStatistics().InUseBlocks));
            Assert.Equal(0, heap.Trim());
            memory.RefuseNothing();
            foreach (nuint size in (nuint[])[1, 1000, 100_000, 1 << 20])
            {
                void* block = heap.Allocate(size);
                BlockContents.Write(block, NativeHeap.GetBlockSize(size), size);
                BlockContents.Verify(block, NativeHeap.GetBlockSize(size), size);
                heap.Free(block, size);
            }
        }

        memory.AssertNothingLeaks();
    }

    [Fact]
    public void Blocks_that_are_kept_are_handed_out_though_the_system_refuses_more()
    {
        FailingMemory memory = new() { DecommittedMemoryFaults = true };
        using (NativeHeap heap = new(new NativeHeapOptions(Options) { Memory = memory }))
        {
            nint[] blocks = [.. Enumerable.Range(0, 1000).Select(_ => (nint)heap.Allocate(100))];
            Array.ForEach(blocks, block => heap.Free((void*)block, 100));
            memory.Refuse(1, andAllAfter: true);
            nint[] again = [.. Enumerable.Range(0, 1000).Select(_ => (nint)heap.Allocate(100))];
            Assert.Equal(blocks.Order(), again.Order());
        }

        memory.AssertNothingLeaks();
    }

    /// <summary>Counts the calls of a run in which none is refused, then refuses each (or every so manieth) in a run of its own.</summary>
    private void RefuseEach(NativeHeapOptions options, bool andAllAfter, int step)
    {
        int calls = Run(options, 0, andAllAfter, out int failures);
        Assert.Equal(0, failures);
        Assert.InRange(calls, 10, 100_000);
        int failed = 0;
        int runs = StressLength.IsAsked ? 400 : StressLength.IsLong ? 150 : 12;
        for (int n = 1; n <= calls; n += Math.Max(step, calls / runs))
        {
            try
            {
                Run(options, n, andAllAfter, out failures);
                failed += failures > 0 ? 1 : 0;
            }
            catch (Exception e)
            {
                throw new InvalidOperationException(
                    $"With call {n} of {calls} refused{(andAllAfter ? " and all after it" : "")}: {e.Message}", e);
            }
        }

        // Each call is made once more, after everything idle went back, whether or not anything was: another thread may have made room.
        Assert.True(
            failed > 0 == andAllAfter,
            $"Of the runs in which {(andAllAfter ? "all calls from one on were" : "one call was")} refused, {failed} felt it.");
    }

    private int Run(NativeHeapOptions options, int refused, bool andAllAfter, out int failures)
    {
        FailingMemory memory = new() { DecommittedMemoryFaults = true };
        int calls;
        using (RefusedProgram program = new(memory, _clock, new NativeHeapOptions(options) { Memory = memory }))
        {
            if (refused > 0)
            {
                memory.Refuse(refused, andAllAfter);
            }

            program.Run();
            calls = memory.Calls;
            Assert.True(
                refused > 0 || options.Checks != BufferChecks.None || memory.CallsOf(MemoryCall.TryMove) > 0, "Nothing was ever moved.");
            failures = program.Failures;
            program.RunToTheEnd();
        }

        memory.AssertNothingLeaks();
        return calls;
    }
}

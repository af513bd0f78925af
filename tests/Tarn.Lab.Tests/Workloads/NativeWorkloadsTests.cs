using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Tests.Workloads;

public class NativeWorkloadsTests
{
    private const int Threads = 3;
    private const double Tiny = 1.0 / 4_096;

    public static TheoryData<string> Names => [.. NativeWorkloads.All.Select(entry => entry.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_block_is_freed_once_with_its_size_and_none_is_left(string name)
    {
        using var memory = new TrackedMemory();

        // Those that run for a time and not for a count may get nothing done in so short a one on a busy machine.
        var operations = 0L;
        for (var length = Tiny; operations == 0 && length < 1; length *= 4)
        {
            operations = Run(name, memory, length);
        }

        Assert.Empty(memory.Mistakes);
        Assert.Equal(0, memory.BlocksInUse);
        Assert.Equal(memory.Allocated, memory.Freed);
        Assert.True(operations > 0, name);
    }

    [Theory]
    [InlineData("glibc-simple")]
    [InlineData("glibc-thread")]
    [InlineData("foreign-window")]
    [InlineData("mleak")]
    [InlineData("malloc-large")]
    [InlineData("message-passing")]
    public void An_operation_is_a_block(string name)
    {
        using var memory = new TrackedMemory();

        Assert.Equal(RunTiny(name, memory), memory.Allocated);
    }

    [Fact]
    public void Larson_allocates_a_block_for_each_operation_besides_filling_and_aging()
    {
        using var memory = new TrackedMemory();

        // 5,000 / 64 places for each thread: filled once, replaced four times each.
        Assert.Equal(RunTiny("larson-sized", memory) + (78 * Threads * 5), memory.Allocated);
    }

    [Fact]
    public void Larson_continues_with_new_threads()
    {
        using var memory = new TrackedMemory();
        var allocating = new System.Collections.Concurrent.ConcurrentDictionary<Thread, bool>();
        using var noting = new TrackedMemory { OnAllocated = (_, _) => allocating[Thread.CurrentThread] = true };
        var workload = NativeWorkloads.Create(
            "larson-sized", new TrackingAllocator(noting), new WorkloadSettings { Length = 0.04, Footprint = 1e-3, Threads = 1 });

        workload.Fill();
        // A life is 500 replacements here.
        var lives = workload.Work() / 500;
        workload.Clear();

        Assert.True(lives > 2, $"{lives} lives");
        Assert.InRange(allocating.Count, lives, lives + 2);
    }

    [Fact]
    public void Xmalloc_test_allocates_objects_in_batches()
    {
        using var memory = new TrackedMemory();

        var operations = RunTiny("xmalloc-test", memory);

        Assert.Equal(0, operations % Batch.Capacity);
        Assert.Equal(0, memory.Allocated % (Batch.Capacity + 1));
        Assert.True(memory.Allocated >= operations / Batch.Capacity * (Batch.Capacity + 1));
    }

    [Theory]
    [InlineData("cache-scratch", 2)]
    [InlineData("cache-thrash", 1)]
    public void The_cache_tests_allocate_hardly_anything(string name, int blocksPerThread)
    {
        using var memory = new TrackedMemory();

        Assert.Equal(2_000_000 / 64 / Threads * Threads, RunTiny(name, memory));
        Assert.Equal(blocksPerThread * Threads, memory.Allocated);
    }

    [Fact]
    public void Alloc_test_allocates_about_every_other_time()
    {
        using var memory = new TrackedMemory();

        var operations = RunTiny("alloc-test", memory);

        Assert.Equal(100_000_000 / 4_096 * Threads, operations);
        Assert.InRange(memory.Allocated, 0.48 * operations, (0.52 * operations) + ((1 << 18) / 64));
    }

    [Fact]
    public void Mstress_allocates_half_as_many_blocks_again_to_retain_them()
    {
        using var memory = new TrackedMemory();

        // The thread with number t allocates t + 1 shares; each thread has two tables of its own.
        Assert.Equal(78 * 6 * 3 / 2, RunTiny("mstress", memory));
        Assert.Equal((78 * 6 * 3 / 2) + (2 * Threads), memory.Allocated);
    }

    [Theory]
    [InlineData("mstress")]
    [InlineData("foreign-window")]
    [InlineData("message-passing")]
    public void Damaged_contents_end_the_work_with_a_description_of_the_damage(string name)
    {
        // Writes over the first word of a small block some allocations later, as a neighbour in a broken heap would.
        nint victim = 0;
        var allocations = 0;
        using var memory = new TrackedMemory
        {
            OnAllocated = (block, _) =>
            {
                if (Interlocked.Increment(ref allocations) % 100 == 99)
                {
                    Volatile.Write(ref victim, block);
                }
                else if (allocations % 100 == 2 && Volatile.Read(ref victim) != 0)
                {
                    System.Runtime.InteropServices.Marshal.WriteInt64(Volatile.Read(ref victim), -1);
                }
            },
        };
        var workload = NativeWorkloads.Create(
            name, new TrackingAllocator(memory), new WorkloadSettings { Length = 0.01, Footprint = 1.0 / 16, Threads = 2 });
        workload.Fill();

        var failure = Assert.Throws<InvalidDataException>(() => workload.Work());

        Assert.StartsWith("Memory was harmed: ", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_unknown_workload_is_refused_with_those_there_are()
    {
        using var memory = new TrackedMemory();

        var failure = Assert.Throws<InvalidDataException>(() => RunTiny("nope", memory));

        Assert.StartsWith("No such workload: nope. There are: larson-sized, xmalloc-test,", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Short_runs_do_the_same_work_for_less_long()
    {
        var settings = new WorkloadSettings { Length = 0.5, Footprint = 0.25 };

        Assert.Equal(500, settings.Times(1_000));
        Assert.Equal(1, settings.Times(1));
        Assert.Equal(TimeSpan.FromSeconds(2.5), settings.Duration(5));
        Assert.Equal(250, settings.Live(1_000));
        Assert.Equal(7, settings.Live(1, atLeast: 7));
        Assert.Equal(Environment.ProcessorCount, settings.Threads);
        Assert.All(NativeWorkloads.All, entry => Assert.InRange(entry.QuickLength, 0.001, entry.FullLength));
    }

    private static long RunTiny(string name, TrackedMemory memory) => Run(name, memory, Tiny);

    private static long Run(string name, TrackedMemory memory, double length)
    {
        var settings = new WorkloadSettings { Length = length, Footprint = 1.0 / 64, Threads = Threads };
        var workload = NativeWorkloads.Create(name, new TrackingAllocator(memory), settings);
        workload.Fill();
        var operations = workload.Work();
        workload.Clear();
        return operations;
    }
}

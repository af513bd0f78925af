using System.Buffers;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Replay;
using Tarn.Lab.Tests.Traces;
using Tarn.Traces;
using static Tarn.Lab.Tests.Traces.TraceSamples;

namespace Tarn.Lab.Tests.Replay;

public class ReplayTests
{
    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 2)]
    [InlineData(3, 5)]
    public void Each_thread_repeats_its_events_in_order_and_every_buffer_is_returned_once_by_its_thread(int seed, int threads)
    {
        BufferTrace trace = TraceSamples.Random(seed, 20_000, threads);
        var program = new ReplayProgram(trace, seed);
        var log = new OrderKeepingPool.Log();
        using var crew = new Crew(program.Threads);

        _ = new Replayer<OrderKeepingPool>("", program, crew, new(log)).Run(iterations: 2);

        Assert.Empty(log.Open);
        Assert.Equal(program.CommonPlaces * 2, log.HandedOverCount);
        IEnumerable<string> expected =
            Enumerable.Range(0, threads).Select(thread => Expected(trace, thread, seed)).Select(did => string.Join(' ', did.Concat(did)));
        Assert.Equal(expected.Order(), log.ByThread.Select(did => string.Join(' ', did)).Order());
    }

    [Fact]
    public void A_buffer_handed_over_is_returned_when_every_thread_has_ended_the_epoch_of_its_rent()
    {
        IEnumerable<BufferEvent> others =
            Enumerable.Range(0, ReplayProgram.EventsPerEpoch).SelectMany(pair => new[] { Rent(1), Return(2 + (2 * pair), 1) });

        var program = new ReplayProgram(new BufferTrace(Origin, [Rent(), Return(0, 1), .. others]), seed: 1);

        int[][] epochOfReturn =
        [
            .. program.Steps.Select(steps => steps
                .Select((step, index) => (step, Epoch: steps.Take(index).Count(earlier => earlier.IsEpochEnd)))
                .Where(one => one.step is { IsCommon: true, IsRent: false, IsEpochEnd: false }).Select(one => one.Epoch).ToArray()),
        ];
        Assert.Equal([2], epochOfReturn.SelectMany(epochs => epochs));
        Assert.Equal(3, program.Epochs);
    }

    [Fact]
    public void Buffers_whose_return_was_not_recorded_are_left_out()
    {
        var program = new ReplayProgram(new BufferTrace(Origin, [Rent(), Rent(length: 64), Return(1, length: 64), Rent()]), seed: 1);

        Assert.Equal((1, 2), (program.Rents, program.LeftOut));
        Assert.Equal((64, 1, 64L), (program.LargestLength, program.MostOfALength, program.RecordedPeak));
    }

    [Fact]
    public void Buffers_of_one_thread_share_places_and_those_handed_over_have_their_own()
    {
        BufferEvent[] events = [Rent(), Return(0), Rent(), Return(2), Rent(), Rent(1), Return(4, 1), Return(5)];

        var program = new ReplayProgram(new BufferTrace(Origin, events), seed: 1);

        Assert.Equal([1, 0], program.OwnPlaces);
        Assert.Equal(2, program.CommonPlaces);
        Assert.Equal((2, 3), (program.Threads, program.Epochs));
    }

    [Fact]
    public void Idle_threads_are_one_and_busy_ones_at_most_sixteen()
    {
        IEnumerable<BufferEvent> Pairs(int threads, Func<int, int> pairs) => Enumerable.Range(0, threads)
            .SelectMany(thread => Enumerable.Repeat(thread, pairs(thread)))
            .SelectMany((thread, index) => new[] { Rent(thread), Return(2 * index, thread) });

        Assert.Equal(3, new ReplayProgram(new BufferTrace(Origin, Pairs(10, thread => thread < 2 ? 500 : 2)), 1).Threads);
        Assert.Equal(16, new ReplayProgram(new BufferTrace(Origin, Pairs(40, _ => 10)), 1).Threads);
        Assert.Equal(16, new ReplayProgram(new BufferTrace(Origin, Pairs(16, _ => 10)), 1).Threads);
        Assert.Equal(1, new ReplayProgram(new BufferTrace(Origin, []), 1).Threads);
    }

    [Theory]
    [InlineData(16)]
    [InlineData(32)]
    [InlineData(4_096)]
    [InlineData(1 << 20)]
    public void Lengths_are_drawn_from_those_that_are_given_the_recorded_one(int given)
    {
        int[] drawn = [.. Enumerable.Range(0, 20_000).Select(seed => ReplayProgram.DrawLength(given, seed))];

        Assert.All(drawn, length =>
        {
            byte[] array = ArrayPool<byte>.Shared.Rent(length);
            Assert.Equal(given, array.Length);
            ArrayPool<byte>.Shared.Return(array);
        });
        double middle = given == 16 ? 8.5 : (given * 0.75) + 0.5;
        Assert.InRange(drawn.Average(), middle * 0.98, middle * 1.02);
        Assert.Equal(drawn, Enumerable.Range(0, 20_000).Select(seed => ReplayProgram.DrawLength(given, seed)));
    }

    [Fact]
    public void A_length_that_no_power_of_two_is_was_requested_as_it_is()
    {
        Assert.Equal(1_000, ReplayProgram.DrawLength(1_000, seed: 1));
    }

    [Fact]
    public void The_census_counts_the_bytes_that_a_pool_allocates_and_keeps()
    {
        var program = new ReplayProgram(TraceSamples.Random(seed: 4, events: 5_000, threads: 2), seed: 4);
        using var crew = new Crew(program.Threads);

        PoolMemory nothingKept = PoolMemory.Measure(program, crew, default(Forgetful), passes: 2);
        PoolMemory pooled = PoolMemory.Measure(program, crew, new BclCreated(ArrayPool<byte>.Create(1 << 20, 1_000)), passes: 2);

        Assert.Equal((1.0, 0.0, 0L), (nothingKept.Allocated, nothingKept.Slack, nothingKept.RetainedBytes));
        // One thread may run ahead of the other in one pass and not in the next.
        Assert.InRange(pooled.Allocated, 0, 0.1);
        Assert.InRange(pooled.Slack, 0.2, 0.3);
        Assert.InRange(pooled.RetainedBytes, pooled.PeakInUseBytes, 20 * pooled.PeakInUseBytes);
    }

    [Fact]
    public void The_floor_is_subtracted_and_leaves_a_positive_time()
    {
        Assert.Equal([5.0, 1.0, 0.2], ReplayTimes.TakeOff([15, 11, 10], floor: 10));
    }

    private readonly struct Forgetful : IBytePool
    {
        public byte[] Rent(int length) => new byte[length];

        public void Return(byte[] array)
        {
        }
    }

    private static List<int> Expected(BufferTrace trace, int thread, int seed)
    {
        BufferEvent[] events = trace.Events.ToArray();
        HashSet<int> returned = [.. events.Select(one => one.Rent)];
        List<int> did = [];
        for (int index = 0; index < events.Length; index++)
        {
            BufferEvent one = events[index];
            if (one.Thread == thread && (one.IsRent ? returned.Contains(index) : events[one.Rent].Thread == thread))
            {
                did.Add(one.IsRent ? ReplayProgram.DrawLength(one.Length, seed) : -ReplayProgram.DrawLength(one.Length, seed));
            }
        }

        return did;
    }
}

extern alias Counted;

using Counted::Tarn.Lab.Counted;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Contenders.Counted;
using Tarn.Lab.Experiments;
using Tarn.Lab.Experiments.Scale;
using Tarn.Lab.Measurement;
using Tarn.Lab.Replay;
using CountedHeap = Counted::Tarn.Native.NativeHeap;
using CountedPool = Counted::Tarn.BufferPool<byte>;

namespace Tarn.Lab.Tests.Experiments;

public class ScaleTests
{
    private const int Calls = 1_000;

    [Fact]
    public void A_hit_takes_no_lock_and_no_interlocked_operation()
    {
        var pool = new CountedArrays(CountedPool.Create());
        using var heap = new CountedHeap();
        var blocks = new CountedBlocks(heap);
        RentAndReturn(pool);
        RentAndReturn(blocks);

        Counts.Restart();
        RentAndReturn(pool);
        RentAndReturn(blocks);

        Assert.DoesNotContain(Counts.ReadThisThread().Values, count => count != default);
    }

    [Fact]
    public void Buffers_that_another_thread_returns_visit_the_depot_and_its_lines_are_foreign()
    {
        CountedPool pool = CountedPool.Create();
        byte[][] buffers = new byte[64][];
        using var crew = new Crew(2);
        for (int round = 0; round < 50; round++)
        {
            if (round == 40)
            {
                // Until then the pool asked its budget for room.
                Assert.True(Counts.Read()["MemoryBudget"].Interlocked > 0);
                Counts.Restart();
            }

            crew.Run(member =>
            {
                for (int i = 0; i < buffers.Length && member == 0; i++)
                {
                    buffers[i] = pool.Rent(64 << 10);
                }
            });
            crew.Run(member =>
            {
                for (int i = 0; i < buffers.Length && member == 1; i++)
                {
                    pool.Return(buffers[i]);
                }
            });
        }

        Count depot = Counts.Read()["Depot"];
        Assert.True(depot.Locks > 0);
        Assert.InRange(depot.BusiestLock, 1, depot.Locks);
        Assert.InRange(depot.ForeignLines, 10, depot.Locks);
        Assert.Equal(0, depot.HeldLocks);
    }

    [Fact]
    public void The_model_of_Shared_takes_a_lock_beyond_one_buffer_of_a_length()
    {
        var model = default(SharedModel);
        List<long> locks = [];
        Worker(() =>
        {
            long before = SharedModel.Locks;
            byte[] first = Noted(model.Rent(100));
            byte[] second = Noted(model.Rent(128));
            model.Return(Noted(first));
            model.Return(first);
            _ = Noted(second);
            model.Return(Noted(model.Rent(65)));
            Assert.NotSame(first, Noted(model.Rent(129)));

            byte[] Noted(byte[] array)
            {
                locks.Add(SharedModel.Locks - before);
                return array;
            }
        });

        // Two rents without a buffer, then one return beside one; the next rent has one, and one of another length has none.
        Assert.Equal([1, 2, 2, 3, 3, 4], locks);
    }

    [Fact]
    public void Every_load_runs_on_as_many_threads_as_are_asked_for_or_a_few_less()
    {
        var trace = new TraceLoad("json", TraceLibrary.Read("json"), seed: 1, Calls);
        var places = new PlacesLoad("places", sharedOneIn: 2, seed: 1, TimeSpan.FromMilliseconds(2));

        Assert.All((ICountedLoad[])[trace, places], load =>
        {
            foreach (int threads in (int[])[2, 9])
            {
                bool isWarm = false;
                (int actual, long calls) = load.Run(default(NoPool), threads, () => isWarm = true);
                Assert.InRange(actual, (threads / 2) + 1, threads);
                Assert.True(calls > 0 && isWarm);
            }
        });
        Assert.Equal(0.5, places.HandedOver);
        Assert.InRange(trace.HandedOver, 0, 1);
    }

    [Fact]
    public void The_result_has_a_row_for_every_contender_and_a_figure_for_every_program()
    {
        ICountedLoad[] loads =
        [
            new TraceLoad("json", TraceLibrary.Read("json"), seed: 1, Calls),
            new PlacesLoad("places", sharedOneIn: 4, seed: 1, TimeSpan.FromMilliseconds(1)),
        ];
        ScaleCount[] counts = [.. loads.SelectMany(load => ScaleExperiment.Measure(load, threads: 2))];

        ExperimentResult result = new ScaleExperiment().CreateResult(loads, counts);

        Assert.Equal(3 * loads.Length, counts.Length);
        Assert.Equal(["scale-arrays-json", "scale-blocks-json"], result.Figures.Select(figure => figure.Id));
        Assert.Equal(counts.Length + loads.Length, result.Section.Tables[0].Rows.Count);
        Assert.All(result.Section.Tables, table => Assert.All(table.Rows, row => Assert.Equal(table.Columns.Count, row.Count)));
        Assert.Equal(125_000.0, result.Section.Tables[0].Rows[^1][^1]);
    }

    [Fact]
    public void Counts_are_for_each_million_calls()
    {
        Dictionary<string, Count> places = new() { ["A"] = new(4, 1, 2, 3, 0, 4), ["B"] = new(1, 0, 0, 1, 0, 1) };
        var count = new ScaleCount("load", "contender", 2, 1_000, 5, places);

        Assert.Equal(5_000, count.PerMillion(count.Locks));
        Assert.Equal(4_000, count.PerMillion(one => one.ForeignLines));
        Assert.Equal(4_000, count.BusiestLock);
        Assert.Null((count with { Places = new Dictionary<string, Count>() }).BusiestLock);
    }

    private static void RentAndReturn<TPool>(TPool pool)
        where TPool : struct, IBytePool
    {
        for (int call = 0; call < Calls; call++)
        {
            pool.Return(pool.Rent(1_000));
        }
    }

    private static void Worker(Action work)
    {
        var thread = new Thread(() => work());
        thread.Start();
        thread.Join();
    }
}

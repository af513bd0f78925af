using System.Collections.Concurrent;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Tests.Measurement;

public class MixedLoadTrialTests
{
    private static readonly SizeDistribution s_sizes = SizeDistribution.Uniform("test", "test", 1_000);

    private readonly Ledger _ledger = new();

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void One_thread_rents_and_others_return(int returning) =>
        Run(MixedLoad.HandedOver(s_sizes, null, returning), renting: 1, returning);

    [Theory]
    [InlineData(2)]
    [InlineData(5)]
    public void All_rent_and_all_return(int threads) => Run(MixedLoad.AllToAll(s_sizes, null, threads), threads, threads);

    [Fact]
    public void A_buffer_with_the_contents_of_another_is_found_out()
    {
        MixedLoadRenter renter = new(MixedLoad.HandedOver(s_sizes, null, 1), 0);
        var buffer = new byte[10];
        renter.Send(new byte[5]);
        renter.Send(buffer);
        Assert.Equal((1, 1), (buffer[0], buffer[^1]));
        Assert.Equal((15, MixedLoad.MostOut - 2), (renter.RentedBytes, renter.Room));
    }

    private void Run(MixedLoad load, int renting, int returning)
    {
        const int Iterations = 2_000;
        using var crew = new Crew(load.Threads, isPinned: false);
        long retained = 0;
        var trial = MixedLoadTrial<Recording>.Create("recording", crew, new(_ledger), load, () => retained += 7);
        Assert.True(trial.Run(Iterations) > 0);
        trial.BeginCounting();
        _ledger.RentedBytes = 0;
        trial.Run(Iterations);

        Assert.Equal(2 * renting * Iterations, _ledger.Returned + _ledger.Out.Count);
        Assert.InRange(_ledger.Out.Count, load.IsAllToAll ? 1 : 0, load.IsAllToAll ? renting * MixedLoad.MostOut : 0);
        Assert.Equal((renting, returning), (_ledger.Renters.Count, _ledger.Returners.Count));
        Assert.InRange(_ledger.MostOut, 1, renting * (MixedLoad.MostOut + 1));
        Assert.Equal(_ledger.RentedBytes, trial.RentedBytes);
        Assert.True(trial.AllocatedBytes >= trial.RentedBytes, "The pool of the test allocates every buffer.");
        Assert.InRange(trial.PeakInFlightBytes, 1, renting * MixedLoad.MostOut * 1_000);
        Assert.Equal(14, trial.PeakRetainedBytes);
    }

    private sealed class Ledger
    {
        private readonly Lock _lock = new();

        public HashSet<byte[]> Out { get; } = [];

        public ConcurrentDictionary<int, bool> Renters { get; } = [];

        public ConcurrentDictionary<int, bool> Returners { get; } = [];

        public int MostOut { get; private set; }

        public int Returned { get; private set; }

        public long RentedBytes { get; set; }

        public byte[] Rent(int length)
        {
            var buffer = new byte[length];
            Renters[Environment.CurrentManagedThreadId] = true;
            lock (_lock)
            {
                Out.Add(buffer);
                MostOut = Math.Max(MostOut, Out.Count);
                RentedBytes += length;
            }

            return buffer;
        }

        public void Return(byte[] buffer)
        {
            Returners[Environment.CurrentManagedThreadId] = true;
            lock (_lock)
            {
                Assert.True(Out.Remove(buffer));
                Returned++;
            }
        }
    }

    private readonly struct Recording(Ledger ledger) : IBytePool
    {
        public byte[] Rent(int length) => ledger.Rent(length);

        public void Return(byte[] array) => ledger.Return(array);
    }
}

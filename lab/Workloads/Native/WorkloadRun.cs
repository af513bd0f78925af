using System.Diagnostics;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// Runs one workload in this process, which should do nothing else. Short passes over a small live set come first, until the code is
/// compiled as a long-running program would have it; they are small because what they leave in the allocator belongs to the baseline.
/// </summary>
internal sealed class WorkloadRun(string workload, WorkloadSettings settings, TimeSpan idle) : INativeVisitor<WorkloadMeasurement>
{
    /// <summary>
    /// Settings of the runtime that a child is started with, alike for all contenders. Code is recompiled as soon as it was called thirty
    /// times, so that warming up takes a tenth of a second. It is compiled without a profile: a profile of the short passes would differ
    /// from process to process, and the peers written in C were compiled without one.
    /// </summary>
    public static readonly IReadOnlyDictionary<string, string> Environment = new Dictionary<string, string>
    {
        ["DOTNET_TieredPGO"] = "0",
        ["DOTNET_TC_CallCountingDelayMs"] = "0",
    };

    private const int WarmPasses = 45;
    private const double WarmLength = 1.0 / 4096;
    private const double WarmFootprint = 1.0 / 64;
    private static readonly TimeSpan s_compilingTime = TimeSpan.FromMilliseconds(60);

    public WorkloadMeasurement Visit<TAllocator>(string name, TAllocator allocator)
        where TAllocator : struct, INativeAllocator
    {
        WarmUp(allocator);
        NativeWorkload work = NativeWorkloads.Create(workload, allocator, settings);
        // Read once before it counts: reading takes memory too, the first time.
        ResidentMemory.Read();
        PeakMemory.Start().BytesOverStart();
        GC.Collect();
        GC.WaitForPendingFinalizers();

        long before = ResidentMemory.Read();
        PeakMemory peak = PeakMemory.Start();
        work.Fill();
        int collections = GC.CollectionCount(0);
        long managed = GC.GetTotalAllocatedBytes(precise: true);
        long start = Stopwatch.GetTimestamp();
        long operations = work.Work();
        double nanoseconds = Clock.NanosecondsSince(start);
        managed = GC.GetTotalAllocatedBytes(precise: true) - managed;
        collections = GC.CollectionCount(0) - collections;
        long most = peak.BytesOverStart();
        work.Clear();

        return new WorkloadMeasurement
        {
            Nanoseconds = nanoseconds,
            Operations = operations,
            PeakBytes = most,
            FreedBytes = ResidentMemory.Read() - before,
            IdleBytes = Idle() ? ResidentMemory.Read() - before : null,
            ManagedBytes = managed,
            Collections = collections,
        };
    }

    private void WarmUp<TAllocator>(TAllocator allocator)
        where TAllocator : struct, INativeAllocator
    {
        WorkloadSettings small = settings with { Length = WarmLength, Footprint = WarmFootprint };
        for (int pass = 0; pass < WarmPasses; pass++)
        {
            NativeWorkload work = NativeWorkloads.Create(workload, allocator, small);
            work.Fill();
            work.Work();
            work.Clear();
        }

        Thread.Sleep(s_compilingTime);
    }

    /// <summary>False when there was nothing to wait for.</summary>
    private bool Idle()
    {
        Thread.Sleep(idle);
        return idle > TimeSpan.Zero;
    }
}

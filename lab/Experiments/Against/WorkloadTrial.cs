using System.Diagnostics;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Experiments.Against;

/// <summary>A native workload in this process, whole in each iteration. The time is for one of its operations.</summary>
internal sealed class WorkloadTrial<TAllocator>(string name, string workload, TAllocator allocator, WorkloadSettings settings)
    : Trial(name, operationsPerIteration: 1)
    where TAllocator : struct, INativeAllocator
{
    public override double Run(int iterations)
    {
        double spent = 0;
        for (int iteration = 0; iteration < iterations; iteration++)
        {
            NativeWorkload work = NativeWorkloads.Create(workload, allocator, settings);
            work.Fill();
            long start = Stopwatch.GetTimestamp();
            long operations = work.Work();
            spent += Clock.NanosecondsSince(start) / operations;
            work.Clear();
        }

        return spent;
    }
}

namespace Tarn.Lab.Workloads.Native;

/// <summary>What the lab knows of a workload before it runs one.</summary>
/// <param name="Name">What a child process is told; ids are made of it.</param>
/// <param name="Operation">What is counted, in words a table can have.</param>
/// <param name="QuickLength">Its length in a quick run, as a part of the original's.</param>
/// <param name="FullLength">Its length in a full run.</param>
/// <param name="HasTarget">Has the project set itself never to be slower or larger than mimalloc here?</param>
internal sealed record NativeWorkloadEntry(string Name, string Operation, double QuickLength, double FullLength, bool HasTarget);

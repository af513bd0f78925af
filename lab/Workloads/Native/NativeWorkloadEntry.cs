namespace Tarn.Lab.Workloads.Native;

/// <summary>The description of a workload before it runs.</summary>
/// <param name="Name">The name for a child process and for ids.</param>
/// <param name="Operation">The counted operation, as a table names it.</param>
/// <param name="QuickLength">Its length in a quick run, as a part of the original's.</param>
/// <param name="FullLength">Its length in a full run.</param>
/// <param name="Target">The largest share of mimalloc's time that is aimed at; null without an aim. Memory then is not to be more.</param>
internal sealed record NativeWorkloadEntry(string Name, string Operation, double QuickLength, double FullLength, double? Target);

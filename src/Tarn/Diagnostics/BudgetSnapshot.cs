namespace Tarn.Diagnostics;

/// <summary>The numbers of one budget at one moment.</summary>
internal readonly record struct BudgetSnapshot(
    string Name, long Limit, long InUse, int Waiting, long Refused, long Deadlocks, TimeSpan LongestWait, TimeSpan OldestWait);

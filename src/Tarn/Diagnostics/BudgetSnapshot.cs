namespace Tarn;

/// <summary>The numbers of one budget at one moment.</summary>
internal readonly record struct BudgetSnapshot(string Name, long InUse, int Waiting, long Refused, TimeSpan LongestWait);

namespace Tarn.Tool.Memory;

/// <summary>What to do about a process's memory.</summary>
/// <param name="Action">What to do.</param>
/// <param name="Evidence">What was seen that speaks for it.</param>
/// <param name="FreesUpToBytes">What it frees at most; null where that is not known.</param>
internal sealed record MemoryAdvice(string Action, string Evidence, long? FreesUpToBytes = null);

namespace Tarn.Torture.Doubles;

/// <summary>The calls an operating system may refuse.</summary>
internal enum MemoryCall
{
    Reserve,
    Commit,
    TryMove,
    Seal,
}

namespace Tarn.Tests.Support;

/// <summary>The calls an operating system may refuse.</summary>
internal enum MemoryCall
{
    Reserve,
    Commit,
    TryMove,
    Seal,
}

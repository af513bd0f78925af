namespace Tarn;

/// <summary>How many free blocks of a class a thread may keep, as a function of the class's block size.</summary>
/// <remarks>
/// A thread keeps <see cref="OwnOf"/> blocks of each class without asking, less than 80 KiB in all. A class whose thread frees more than
/// that, or allocates more than once in a row, doubles its room, up to <see cref="MostOf"/>. What is more than its own comes from one
/// budget for all threads of the heap (<see cref="ExtraOf"/>).
/// </remarks>
internal static class BlockRoom
{
    /// <summary>The most blocks that a thread keeps of a class: their pointers fill an OS page.</summary>
    private const int MaxCapacity = 512;

    /// <summary>The most bytes of blocks that a thread keeps of a class, unless that allows only a few blocks.</summary>
    private const nuint MostBytes = 512 << 10;

    private const int LeastMost = 16;

    /// <summary>Threads may keep one part in this many of the cap beyond their own, at most the next.</summary>
    private const int ExtraDivisor = 8;
    private const long MostExtra = 64 << 20;

    /// <summary>The blocks of a class that every thread may keep.</summary>
    internal static int OwnOf(nuint blockSize) => blockSize switch
    {
        <= 64 => 64,
        <= 1 << 10 => (int)((2 << 10) / blockSize),
        <= 4 << 10 => 1,
        _ => 0,
    };

    /// <summary>The most blocks of a class that a thread may keep.</summary>
    internal static int MostOf(nuint blockSize) => (int)Math.Clamp(MostBytes / blockSize, LeastMost, MaxCapacity);

    /// <summary>The bytes that all threads of a heap together may keep beyond their own.</summary>
    internal static long ExtraOf(long cap) => Math.Min(cap / ExtraDivisor, MostExtra);
}

namespace Tarn.Native;

/// <summary>How many free blocks of a class a thread may keep, as a function of the class's block size.</summary>
/// <remarks>
/// All threads of the heap pay for their room from one <see cref="ThreadRoom"/>, which grants what the classes guarantee, less than
/// 80 KiB a thread, whatever the others keep.
/// </remarks>
internal static class BlockRoom
{
    /// <summary>The most blocks that a thread keeps of a class: their pointers fill an OS page.</summary>
    private const int MaxCapacity = 512;

    /// <summary>The most bytes of blocks that a thread keeps of a class, unless that allows only a few blocks.</summary>
    private const nuint MostBytes = 512 << 10;

    private const int LeastMost = 16;

    internal static ClassRoom Of(nuint blockSize)
    {
        int guaranteed = GuaranteedOf(blockSize);
        int most = (int)Math.Clamp(MostBytes / blockSize, LeastMost, MaxCapacity);
        return new ClassRoom(Math.Max(1, guaranteed), guaranteed, most, most);
    }

    private static int GuaranteedOf(nuint blockSize) => blockSize switch
    {
        <= 64 => 64,
        <= 1 << 10 => (int)((2 << 10) / blockSize),
        <= 4 << 10 => 1,
        _ => 0,
    };
}

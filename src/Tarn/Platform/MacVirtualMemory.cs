namespace Tarn;

/// <summary>macOS: POSIX mappings only.</summary>
/// <remarks>
/// There is no call that moves a mapping or requests huge pages. A reservation costs nothing, whatever its flags: the kernel counts touched
/// memory.
/// </remarks>
internal sealed class MacVirtualMemory() : PosixVirtualMemory(Private | Anonymous, TryAgain, Free)
{
    /// <summary>MAP_PRIVATE.</summary>
    private const int Private = 0x2;

    /// <summary>MAP_ANON.</summary>
    private const int Anonymous = 0x1000;

    /// <summary>EAGAIN.</summary>
    private const int TryAgain = 35;

    /// <summary>MADV_FREE: the kernel takes the memory when it needs some, unless it has been written again.</summary>
    private const int Free = 5;

    /// <summary>
    /// mmap over our own range, as for a seal. madvise is not enough: after MADV_DONTNEED, MADV_FREE and MADV_FREE_REUSABLE, reads may find
    /// the old contents, and memory that is committed again must read as zeros.
    /// </summary>
    protected override bool TryTakeBack(nint address, nuint size) => Seal(address, size);
}

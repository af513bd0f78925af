namespace Tarn;

/// <summary>A large buffer: a mapping of its own, in use or kept for reuse. Guarded by the lock of <see cref="LargeBuffers"/>.</summary>
internal sealed class LargeBuffer(nint address, nuint reservedSize)
{
    internal nint Address { get; } = address;

    /// <summary>What was reserved and is released, in bytes; more than <see cref="Size"/> after it was shrunk in place.</summary>
    internal nuint ReservedSize { get; } = reservedSize;

    /// <summary>What is committed, in bytes: a class's size, or more than any class has.</summary>
    internal nuint Size { get; set; } = reservedSize;

    /// <summary>Kept by the heap, not by a thread's slot or a caller.</summary>
    internal bool IsKept { get; set; }

    /// <summary>A trimmer took it out of a thread's slot, and gives it back when it holds no lock: nobody uses it.</summary>
    internal bool IsLeaving { get; set; }

    /// <summary>Since when it is kept.</summary>
    internal TimeSpan Since { get; set; }
}

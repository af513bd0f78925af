namespace Tarn;

/// <summary>A large buffer: a mapping of its own, in use or kept for reuse. Guarded by the lock of <see cref="LargeBuffers"/>.</summary>
internal sealed class LargeBuffer(nint address, nuint reservedSize)
{
    internal nint Address { get; } = address;

    /// <summary>
    /// The reserved bytes, all of which a release returns; more than <see cref="Size"/> after the buffer was shrunk in place.
    /// </summary>
    internal nuint ReservedSize { get; } = reservedSize;

    /// <summary>The committed bytes: the size of a class, or more than the largest class.</summary>
    internal nuint Size { get; set; } = reservedSize;

    /// <summary>Whether the heap keeps the buffer, as opposed to a thread's slot or a caller.</summary>
    internal bool IsKept { get; set; }

    /// <summary>
    /// Whether a call to the system works on the buffer. It stays in the table, because to return there could need memory.
    /// </summary>
    internal bool IsBusy { get; set; }

    /// <summary>
    /// Whether a trimmer took the buffer out of a thread's slot and will return it once it holds no lock. Nothing uses such a buffer.
    /// </summary>
    internal bool IsLeaving { get; set; }

    /// <summary>Of a buffer that is leaving: whether the heap may keep it.</summary>
    internal bool MayStay { get; set; }

    /// <summary>Of a buffer that is leaving: the one that left before.</summary>
    internal LargeBuffer? NextLeaving { get; set; }

    /// <summary>The time since when the buffer is kept.</summary>
    internal TimeSpan Since { get; set; }

    /// <summary>The number of allocations of large buffers when the buffer was kept (<see cref="NearSizes"/>).</summary>
    internal long KeptAtTake { get; set; }
}

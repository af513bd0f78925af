namespace Tarn.Native;

/// <summary>A large buffer: a mapping of its own, in use or kept for reuse. Guarded by the lock of <see cref="LargeBuffers"/>.</summary>
internal sealed class LargeBuffer(nint address, nuint reservedSize)
{
    private Links<LargeBuffer> _links;

    internal nint Address { get; } = address;

    /// <summary>
    /// The reserved bytes, all of which a release returns; more than <see cref="Size"/> after the buffer was shrunk in place.
    /// </summary>
    internal nuint ReservedSize { get; } = reservedSize;

    /// <summary>The committed bytes: the size of a class, or more than the largest class.</summary>
    internal nuint Size { get; set; } = reservedSize;

    /// <summary>
    /// The size that the caller knows, when a caller has the buffer: that of the class asked for, which may be smaller than
    /// <see cref="Size"/>.
    /// </summary>
    internal nuint LentSize { get; set; } = reservedSize;

    /// <summary>Whether the heap keeps the buffer, as opposed to a caller.</summary>
    internal bool IsKept { get; set; }

    /// <summary>
    /// Whether a call to the system works on the buffer. It stays in the table, because to return there could need memory.
    /// </summary>
    internal bool IsBusy { get; set; }

    /// <summary>The time since when the buffer is kept.</summary>
    internal TimeSpan Since { get; set; }

    /// <summary>The order in which buffers were kept.</summary>
    internal long KeptAs { get; set; }

    /// <summary>The neighbors in the queue of kept buffers of the class.</summary>
    internal readonly struct InClass : ILinks<LargeBuffer>
    {
        public static ref Links<LargeBuffer> Of(LargeBuffer item) => ref item._links;
    }
}

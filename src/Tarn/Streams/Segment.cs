namespace Tarn;

/// <summary>A link of a stream: contiguous memory that holds the stream's bytes from <see cref="Start"/> on.</summary>
/// <remarks>Either <see cref="Array"/> or <see cref="Native"/> is set. A segment may be closed before its memory is full, so <see cref="Size"/> may be less than that has.</remarks>
internal struct Segment
{
    internal byte[]? Array;
    internal NativeBuffer? Native;

    /// <summary>The position in the stream of the first byte.</summary>
    internal long Start;

    /// <summary>Bytes of the stream that this segment holds, or has room for.</summary>
    internal int Size;

    internal readonly long End => Start + Size;

    internal readonly Span<byte> GetSpan(int offset, int length) => Array is null ? Native!.GetSpan(offset, length) : Array.AsSpan(offset, length);

    /// <summary>All of it, as memory.</summary>
    internal readonly Memory<byte> Memory => GetMemory(0, Size);

    internal readonly Memory<byte> GetMemory(int offset, int length) =>
        Array is null ? Native!.GetMemory(offset, length) : new Memory<byte>(Array, offset, length);
}

using System.Buffers;

namespace Tarn;

/// <summary>A segment of the sequence over a buffer that is too long for one segment.</summary>
internal sealed class NativeBufferSegment : ReadOnlySequenceSegment<byte>
{
    /// <summary>The longest segment, in bytes.</summary>
    internal const int LargestLength = 1 << 30;

    private NativeBufferSegment(Memory<byte> memory, long runningIndex)
    {
        Memory = memory;
        RunningIndex = runningIndex;
    }

    /// <summary>Returns the whole buffer in segments of <paramref name="largest"/> bytes; the last one may be shorter.</summary>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    internal static ReadOnlySequence<byte> CreateSequence(NativeBuffer buffer, int largest)
    {
        long length = buffer.LongLength;
        if (length <= largest)
        {
            return new ReadOnlySequence<byte>(buffer.GetMemory(0, (int)length));
        }

        NativeBufferSegment first = new(buffer.GetMemory(0, largest), 0);
        NativeBufferSegment last = first;
        for (long offset = largest; offset < length; offset += largest)
        {
            NativeBufferSegment next = new(buffer.GetMemory(offset, (int)Math.Min(largest, length - offset)), offset);
            last.Next = next;
            last = next;
        }

        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }
}

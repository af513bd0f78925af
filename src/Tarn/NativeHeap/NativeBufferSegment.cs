using System.Buffers;

namespace Tarn.Native;

/// <summary>A segment of the sequence over a buffer that is too long for one segment.</summary>
internal sealed class NativeBufferSegment<T> : ReadOnlySequenceSegment<T>
    where T : unmanaged
{
    private NativeBufferSegment(Memory<T> memory, long runningIndex)
    {
        Memory = memory;
        RunningIndex = runningIndex;
    }

    /// <summary>Returns the whole buffer in segments of <paramref name="largest"/> elements; the last one may be shorter.</summary>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    internal static ReadOnlySequence<T> CreateSequence(NativeBuffer<T> buffer, int largest)
    {
        long length = buffer.Length;
        if (length <= largest)
        {
            return new ReadOnlySequence<T>(buffer.GetMemory(0, (int)length));
        }

        NativeBufferSegment<T> first = new(buffer.GetMemory(0, largest), 0);
        NativeBufferSegment<T> last = first;
        for (long offset = largest; offset < length; offset += largest)
        {
            NativeBufferSegment<T> next = new(buffer.GetMemory(offset, (int)Math.Min(largest, length - offset)), offset);
            last.Next = next;
            last = next;
        }

        return new ReadOnlySequence<T>(first, 0, last, last.Memory.Length);
    }
}

using System.Buffers;

namespace Tarn.SharedMemory;

/// <summary>A message of a ring as a part of a sequence, in place or in an array of the pool.</summary>
internal sealed class RingSegment : ReadOnlySequenceSegment<byte>
{
    /// <summary>The array into which the bytes were copied, to be returned; null if they lie in the ring.</summary>
    private byte[]? _array;

    internal new RingSegment? Next
    {
        get => (RingSegment?)base.Next;
        private set => base.Next = value;
    }

    /// <summary>The position after the message's record.</summary>
    internal long RecordEnd { get; private set; }

    internal bool IsInRing => _array is null;

    internal int Length => Memory.Length;

    /// <summary>Begins a message in place.</summary>
    internal void Set(ReadOnlyMemory<byte> message, long recordEnd)
    {
        Memory = message;
        RecordEnd = recordEnd;
    }

    /// <summary>Begins bytes in an array of <see cref="BufferPool{T}.Shared"/>, which <see cref="Clear"/> returns.</summary>
    internal void Set(byte[] array, int length)
    {
        _array = array;
        Memory = array.AsMemory(0, length);
    }

    /// <summary>Makes this the successor of another segment.</summary>
    internal void Follow(RingSegment previous)
    {
        RunningIndex = previous.RunningIndex + previous.Length;
        previous.Next = this;
    }

    /// <summary>Takes the place of all segments after it.</summary>
    internal void Cut() => Next = null;

    internal void Clear()
    {
        if (_array is { } array)
        {
            _array = null;
            BufferPool<byte>.Shared.Return(array);
        }

        Memory = default;
        RecordEnd = 0;
        RunningIndex = 0;
        Next = null;
    }

    /// <summary>Chains segments that are not in use.</summary>
    internal void Chain(RingSegment? spare) => Next = spare;
}

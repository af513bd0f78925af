using System.Buffers;

namespace Tarn;

/// <summary>A segment as a link of a sequence.</summary>
internal sealed class SequenceNode : ReadOnlySequenceSegment<byte>
{
    internal SequenceNode(ref Segment segment, NativeHeap? heap)
    {
        Memory = segment.GetMemory(heap, 0, segment.Size);
        RunningIndex = segment.Start;
    }

    internal void Append(SequenceNode next) => Next = next;
}

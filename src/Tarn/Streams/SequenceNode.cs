using System.Buffers;

namespace Tarn;

/// <summary>A segment as a link of a sequence.</summary>
internal sealed class SequenceNode : ReadOnlySequenceSegment<byte>
{
    internal SequenceNode(in Segment segment)
    {
        Memory = segment.Memory;
        RunningIndex = segment.Start;
    }

    internal void Append(SequenceNode next) => Next = next;
}

using System.Buffers;

namespace Tarn;

/// <summary>The segments of a stream that has several, or whose only segment is not a plain array.</summary>
/// <remarks>
/// <para>With n segments: <c>Start(0) = 0</c>, <c>Start(i + 1) = Start(i) + Size(i)</c>, <c>Capacity = Start(n - 1) + Size(n - 1)</c>, no
/// size is 0. The nodes of the sequence exist for a number of segments from the first on, and the memory of a node is its segment's. Not
/// safe for concurrent use.</para>
/// <para>Segments grow geometrically, so there are few (40 for 200 MiB), and the table, which doubles, is small.</para>
/// </remarks>
internal sealed class SegmentTable(int room, NativeHeap? heap)
{
    private Segment[] _segments = new Segment[room];
    private SequenceNode? _firstNode;
    private SequenceNode? _lastNode;
    private int _nodeCount;

    internal int Count { get; private set; }

    /// <summary>The index of the segment that contains the stream's cursor.</summary>
    internal int Current { get; set; }

    /// <summary>
    /// The buffer that <see cref="IBufferWriter{T}.GetMemory"/> returned because the requested range was not contiguous. Advance copies
    /// from it.
    /// </summary>
    internal byte[]? Pending { get; set; }

    /// <summary>
    /// The position from which on no byte was ever handed out for writing. Clearing ends here, or at the length if that is more.
    /// </summary>
    internal long ExposedTo { get; set; }

    /// <summary>The bytes that the segments hold or have room for.</summary>
    internal long Capacity => Count == 0 ? 0 : Last.End;

    internal Span<Segment> Segments => _segments.AsSpan(0, Count);

    internal ref Segment Last => ref _segments[Count - 1];

    internal ref Segment this[int index] => ref _segments[index];

    /// <summary>Notes that the bytes before <paramref name="end"/> may be written from now on.</summary>
    internal void NoteExposed(long end) => ExposedTo = Math.Max(ExposedTo, end);

    /// <summary>Finds the segment that holds the byte at <paramref name="position"/>; at the end of the segments, the last one.</summary>
    internal int Find(long position)
    {
        int low = 0;
        int high = Count - 1;
        while (low < high)
        {
            int middle = (low + high + 1) >>> 1;
            if (_segments[middle].Start <= position)
            {
                low = middle;
            }
            else
            {
                high = middle - 1;
            }
        }

        return low;
    }

    /// <summary>Copies bytes from <paramref name="position"/> on to <paramref name="target"/>. All of them must exist.</summary>
    internal void Read(long position, Span<byte> target, bool isParallel)
    {
        int whole = target.Length;
        for (int index = Find(position); target.Length > 0; index++)
        {
            Span<byte> part = GetPart(index, position, target.Length);
            BufferCopy.CopyPart(part, target[..part.Length], whole, isParallel);
            position += part.Length;
            target = target[part.Length..];
        }
    }

    /// <summary>Copies bytes to <paramref name="position"/>, where there must be room. The source may be in these segments.</summary>
    internal void Write(long position, ReadOnlySpan<byte> source, bool isParallel)
    {
        int whole = source.Length;
        for (int index = Find(position); source.Length > 0; index++)
        {
            Span<byte> part = GetPart(index, position, source.Length);
            position += part.Length;
            if (part.Length < source.Length && source.Overlaps(part))
            {
                // The first bytes would overwrite the others, so copy those first.
                Write(position, source[part.Length..], isParallel);
                source[..part.Length].CopyTo(part);
                return;
            }

            BufferCopy.CopyPart(source[..part.Length], part, whole, isParallel);
            source = source[part.Length..];
        }
    }

    /// <summary>Writes zeros from <paramref name="position"/> to <paramref name="end"/>.</summary>
    internal void Clear(long position, long end)
    {
        for (int index = Find(position); position < end; index++)
        {
            Span<byte> part = GetPart(index, position, end - position);
            BufferCopy.Clear(part);
            position += part.Length;
        }
    }

    /// <summary>Makes a place for a segment, so that no memory need be taken once there is one.</summary>
    internal void MakePlace()
    {
        if (Count == _segments.Length)
        {
            Array.Resize(ref _segments, Count * 2);
        }
    }

    /// <summary>Appends a segment and sets its start.</summary>
    internal void Add(Segment segment)
    {
        MakePlace();
        segment.Start = Capacity;
        _segments[Count] = segment;
        Count++;
    }

    /// <summary>Removes the last segment from the table.</summary>
    internal Segment RemoveLast()
    {
        Segment last = Last;
        DropNodes(Count - 1);
        Count--;
        _segments[Count] = default;
        Current = Math.Min(Current, Math.Max(0, Count - 1));
        return last;
    }

    /// <summary>Closes the last segment at <paramref name="size"/> bytes.</summary>
    internal void CloseLast(int size)
    {
        DropNodes(Count - 1);
        Last.Size = size;
    }

    /// <summary>Returns the first <paramref name="length"/> bytes, at least one, as a sequence.</summary>
    internal ReadOnlySequence<byte> GetSequence(long length)
    {
        int last = Find(length - 1);
        while (_nodeCount <= last)
        {
            SequenceNode node = new(ref _segments[_nodeCount], heap);
            _lastNode?.Append(node);
            _firstNode ??= node;
            _lastNode = node;
            _nodeCount++;
        }

        SequenceNode end = last == _nodeCount - 1 ? _lastNode! : NodeAt(last);
        return new ReadOnlySequence<byte>(_firstNode!, 0, end, (int)(length - _segments[last].Start));
    }

    /// <summary>Returns at most <paramref name="most"/> bytes of one segment from <paramref name="position"/> on.</summary>
    private Span<byte> GetPart(int index, long position, long most)
    {
        ref Segment segment = ref _segments[index];
        return segment.GetSpan((int)(position - segment.Start), (int)Math.Min(most, segment.End - position));
    }

    private SequenceNode NodeAt(int index)
    {
        SequenceNode node = _firstNode!;
        for (int i = 0; i < index; i++)
        {
            node = (SequenceNode)node.Next!;
        }

        return node;
    }

    /// <summary>
    /// Drops the nodes from segment <paramref name="count"/> on. Sequences handed out before keep the old nodes; new sequences get new
    /// ones.
    /// </summary>
    private void DropNodes(int count)
    {
        if (_nodeCount > count)
        {
            _firstNode = null;
            _lastNode = null;
            _nodeCount = 0;
        }
    }
}

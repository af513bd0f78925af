using System.Buffers;

namespace Tarn.SharedMemory;

/// <content>What was read and not consumed.</content>
internal sealed partial class RingPipeReader
{
    /// <summary>What was read and not consumed; null if that is nothing. Bytes before <see cref="_start"/> are consumed.</summary>
    private RingSegment? _first;
    private RingSegment? _last;
    private RingSegment? _spare;
    private int _start;

    /// <summary>The position up to which messages were passed, and that up to which they were read.</summary>
    private long _passed;
    private long _ahead;

    /// <summary>Appends the messages that have come.</summary>
    private void Gather()
    {
        long next = _ahead;
        for (int i = 0; i < MostAtOnce && !_isEnded && _side.TryReadAhead(ref next, out ReadOnlySpan<byte> message); i++)
        {
            if (message.IsEmpty)
            {
                _isEnded = true;
            }
            else
            {
                RingSegment segment = Take();
                segment.Set(_bytes.Message(_ahead, 0, message.Length), next);
                Append(segment);
                _isExamined = false;
            }

            _ahead = next;
        }
    }

    private void Append(RingSegment segment)
    {
        if (_last is not null)
        {
            segment.Follow(_last);
        }

        _first ??= segment;
        _last = segment;
    }

    /// <exception cref="InvalidOperationException">The position is not in what was read.</exception>
    private RingSegment Find(SequencePosition position, string name)
    {
        int index = position.GetInteger();
        for (RingSegment? segment = _first; segment is not null; segment = segment.Next)
        {
            if (segment == position.GetObject() && index >= (segment == _first ? _start : 0) && index <= segment.Length)
            {
                return segment;
            }
        }

        throw new InvalidOperationException(
            $"The {name} position does not belong to what the read of the ring \"{_ring.Name}\" returned. Pass a position of its buffer.");
    }

    private void Advance(RingSegment consumed, int consumedIndex, RingSegment examined, int examinedIndex)
    {
        if (examined.RunningIndex + examinedIndex < consumed.RunningIndex + consumedIndex)
        {
            throw new InvalidOperationException("The examined position lies before the consumed one. Pass a later one.");
        }

        _isExamined = examined.RunningIndex + examinedIndex == _last!.RunningIndex + _last.Length;
        long passed = _passed;
        while (_first != consumed)
        {
            passed = Math.Max(passed, Drop());
        }

        _start = consumedIndex;
        if (_start == _first.Length)
        {
            passed = Math.Max(passed, Drop());
        }

        PassTo(passed);
    }

    /// <summary>Removes the first segment; returns where its record ends.</summary>
    private long Drop()
    {
        RingSegment first = _first!;
        long end = first.RecordEnd;
        _first = first.Next;
        _last = _first is null ? null : _last;
        _start = 0;
        first.Clear();
        first.Chain(_spare);
        _spare = first;
        return end;
    }

    /// <summary>Returns the memory of everything, when nobody has it.</summary>
    private void DropAll()
    {
        while (_first is not null)
        {
            Drop();
        }
    }

    private RingSegment Take()
    {
        RingSegment segment = _spare ?? new RingSegment();
        _spare = segment.Next;
        segment.Cut();
        return segment;
    }

    /// <summary>Copies the bytes that lie in the ring, and passes their messages.</summary>
    private void CopyOut(RingSegment first)
    {
        RingSegment? before = null;
        RingSegment? inRing = first;
        while (inRing is { IsInRing: false })
        {
            before = inRing;
            inRing = inRing.Next;
        }

        if (inRing is null)
        {
            return;
        }

        int firstStart = _start;
        int start = before is null ? firstStart : 0;
        int length = checked((int)(_last!.RunningIndex + _last.Length - inRing.RunningIndex - start));
        byte[] array = BufferPool<byte>.Shared.Rent(length);
        new ReadOnlySequence<byte>(inRing, start, _last, _last.Length).CopyTo(array);
        (_first, _start) = (inRing, 0);
        DropAll();
        RingSegment copied = Take();
        copied.Set(array, length);
        (_first, _last) = before is null ? (copied, copied) : (first, before);
        if (before is not null)
        {
            before.Cut();
            Append(copied);
            _start = firstStart;
        }

        PassTo(_ahead);
    }

    /// <summary>Gives the writer the room of messages. Nothing if another thread disposed the ring: the next read says so.</summary>
    private void PassTo(long position)
    {
        if (position > _passed)
        {
            try
            {
                _side.PassTo(position);
            }
            catch (ObjectDisposedException)
            {
            }

            _passed = position;
        }
    }
}

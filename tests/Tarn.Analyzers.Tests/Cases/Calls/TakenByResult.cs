using System;
using System.Buffers;
using System.Collections.Generic;

/// <summary>Methods that say by their result whether they keep a buffer.</summary>
internal sealed class TakenByResult
{
    internal enum Status
    {
        Taken,
        Full,
    }

    private readonly Accumulator _accumulator = new();
    private readonly Queue<byte[]> _queue = new();

    internal bool Lost()
    {
        byte[] header = ArrayPool<byte>.Shared.Rent(8); // expect TARN011
        header[0] = 1;
        if (!_accumulator.TryAppend(header))
        {
            return false;
        }

        return true;
    }

    internal bool ReturnedIfNot()
    {
        byte[] header = ArrayPool<byte>.Shared.Rent(8);
        header[0] = 1;
        if (!_accumulator.TryAppend(header))
        {
            ArrayPool<byte>.Shared.Return(header);
            return false;
        }

        return true;
    }

    internal bool LostByVariable()
    {
        byte[] header = ArrayPool<byte>.Shared.Rent(8); // expect TARN011
        bool isTaken = _accumulator.TryAppend(header);
        if (isTaken)
        {
            return true;
        }

        Console.WriteLine(header[0]);
        return false;
    }

    internal bool NotAsked()
    {
        byte[] header = ArrayPool<byte>.Shared.Rent(8);
        _accumulator.TryAppend(header);
        return true;
    }

    internal bool Forwarded()
    {
        byte[] header = ArrayPool<byte>.Shared.Rent(8);
        return _accumulator.TryAppend(header);
    }

    internal bool KeptAnyway()
    {
        byte[] header = ArrayPool<byte>.Shared.Rent(8);
        bool isTaken = _accumulator.TryAppend(header);
        _queue.Enqueue(header);
        if (!isTaken)
        {
            return false;
        }

        return true;
    }

    internal bool LostByStatus()
    {
        byte[] header = ArrayPool<byte>.Shared.Rent(8); // expect TARN011
        header[0] = 2;
        if (_accumulator.Append(header) == Status.Full)
        {
            return false;
        }

        return true;
    }

    internal bool LostThroughAnother()
    {
        byte[] header = ArrayPool<byte>.Shared.Rent(8); // expect TARN011
        header[0] = 3;
        if (_accumulator.TryAppendLocked(header))
        {
            return true;
        }

        return false;
    }

    internal bool MayBeTakenAnyway()
    {
        byte[] header = ArrayPool<byte>.Shared.Rent(8);
        header[0] = 3;
        if (_accumulator.TakesFirst(header))
        {
            return true;
        }

        return false;
    }

    internal bool TriedAgain(Accumulator other)
    {
        byte[] header = ArrayPool<byte>.Shared.Rent(8); // expect TARN011
        header[0] = 3;
        if (_accumulator.TryAppend(header) || other.TryAppend(header))
        {
            return true;
        }

        return false;
    }

    internal sealed class Accumulator
    {
        private byte[]? _kept;

        internal bool IsClosed { get; set; }

        internal bool TryAppend(byte[] header)
        {
            if (IsClosed)
            {
                return false;
            }

            _kept = header;
            return true;
        }

        internal bool TryAppendLocked(byte[] header)
        {
            lock (this)
            {
                return TryAppend(header);
            }
        }

        internal bool TakesFirst(byte[] header)
        {
            _kept = header;
            return !IsClosed;
        }

        internal Status Append(byte[] header)
        {
            if (IsClosed)
            {
                return Status.Full;
            }

            _kept = header;
            return Status.Taken;
        }

        internal void Drain()
        {
            if (_kept is { } kept)
            {
                _kept = null;
                ArrayPool<byte>.Shared.Return(kept);
            }
        }
    }
}

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>
/// A random program over every member of a ring and a queue of byte arrays, its model: messages come out as they went in, the room matches
/// the model, a refused call changes nothing, and after each step the header's equations hold.
/// </summary>
internal sealed partial class RingProgram : IDisposable
{
    private readonly Random _random;
    private readonly Queue<byte[]> _model = new();
    private readonly string _name;

    /// <summary>Never used for a message: it keeps the name.</summary>
    private readonly SharedRing _maker;
    private SharedRing _writer;
    private SharedRing _reader;

    /// <summary>The length and the position of the room that was taken last. Null when there is none to commit.</summary>
    private (int Length, long Position)? _begunWrite;

    /// <summary>The position of the message that was begun last. Null when there is none to pass.</summary>
    private long? _begunRead;
    private string _step = "nothing";

    internal RingProgram(int seed, string name, int capacity)
    {
        _random = new Random(seed);
        _name = name;
        _maker = SharedRing.Create(name, capacity);
        _writer = SharedRing.Open(name);
        _reader = SharedRing.Open(name);
        Assert.Equal(capacity, _writer.Capacity);
    }

    /// <summary>The part of the ring's capacity that its messages occupy.</summary>
    private int Used => _model.Sum(static message => SizeOf(message.Length));

    private int Longest => _writer.MaxMessageLength;

    internal void Run(int steps)
    {
        for (int step = 0; step < steps; step++)
        {
            try
            {
                Step();
                _maker.Validate();
            }
            catch (Exception e)
            {
                throw new InvalidOperationException($"Step {step} ({_step}) with {_model.Count} messages in {Used} bytes: {e.Message}", e);
            }
        }
    }

    public void Dispose()
    {
        _writer.Dispose();
        _reader.Dispose();
        _maker.Dispose();
    }

    private static int SizeOf(int length) => 8 + ((length + 7) / 8 * 8);

    private bool HasRoom(int length) => Used + SizeOf(length) <= _writer.Capacity;

    private int Length() => _random.Next(10) switch
    {
        0 => 0,
        1 => Longest,
        < 6 => _random.Next(Math.Min(Longest, 40) + 1),
        _ => _random.Next(Longest + 1),
    };

    private byte[] Bytes(int length)
    {
        byte[] bytes = new byte[length];
        _random.NextBytes(bytes);
        return bytes;
    }

    private void Step()
    {
        switch (_random.Next(100))
        {
            case < 22:
                Write(Bytes(Length()));
                break;
            case < 42:
                BeginWrite(Length());
                break;
            case < 47:
                EndWrite();
                break;
            case < 60:
                Read();
                break;
            case < 66:
                ReadAhead();
                break;
            case < 85:
                BeginRead();
                break;
            case < 88:
                EndRead();
                break;
            case < 92:
                RefuseLengths();
                break;
            case < 95:
                RefuseDestination();
                break;
            case < 98:
                Succeed();
                break;
            default:
                RefuseSecond();
                break;
        }
    }

    private void Write(byte[] message)
    {
        bool tries = _random.Next(2) == 0;
        _step = $"{(tries ? "try to write" : "write")} {message.Length}";
        if (tries)
        {
            Assert.Equal(HasRoom(message.Length), _writer.TryWrite(message));
        }
        else if (HasRoom(message.Length))
        {
            _writer.Write(message);
        }
        else
        {
            AssertCancelled(token => _writer.Write(message, token));
            return;
        }

        if (HasRoom(message.Length))
        {
            _begunWrite = null;
            _model.Enqueue(message);
        }
    }

    /// <summary>Occasionally does nothing more, and a later step ends or forgets the begun write.</summary>
    private void BeginWrite(int length)
    {
        bool tries = _random.Next(2) == 0;
        _step = $"{(tries ? "try to begin" : "begin")} {length}";
        SharedRoom room = default;
        if (tries)
        {
            Assert.Equal(HasRoom(length), _writer.TryBeginWrite(length, out room));
        }
        else if (HasRoom(length))
        {
            room = _writer.BeginWrite(length);
        }
        else
        {
            AssertCancelled(token => _writer.BeginWrite(length, token));
            return;
        }

        if (!HasRoom(length))
        {
            Assert.True(room.Span.IsEmpty);
            return;
        }

        Assert.Equal((length, _writer.WritePosition), (room.Span.Length, room.Position));
        _begunWrite = (length, room.Position);
        room.Span.Fill(0xDD);
        int written = _random.Next(3) == 0 ? _random.Next(length + 1) : length;
        byte[] message = Bytes(written);
        message.CopyTo(room.Span);
        if (_random.Next(5) > 0)
        {
            EndWrite(message);
        }
    }

    private void EndWrite()
    {
        if (_begunWrite is null)
        {
            _step = "end nothing";
            Messages.Refusal<InvalidOperationException>(new SharedRoom(_writer.Writer, _writer.WritePosition, default), 0);
            return;
        }

        // The room cannot be kept, so another one stands for it. It may be given up, too.
        if (_random.Next(2) == 0)
        {
            RoomBegun().Dispose();
            Messages.Refusal<InvalidOperationException>(RoomBegun(), 0);
            _begunWrite = null;
            return;
        }

        EndWrite([]);
    }

    private void EndWrite(byte[] message)
    {
        _step += $", end {message.Length}";
        SharedRoom room = RoomBegun();
        int begun = room.Span.Length;
        foreach (int wrong in (int[])[-1, begun + 1, begun + 8, int.MaxValue, int.MaxValue - 6, int.MinValue])
        {
            Messages.Refusal<ArgumentOutOfRangeException>(room, wrong);
        }

        room.Commit(message.Length);
        Messages.Refusal<InvalidOperationException>(room, 0);
        room.Dispose();
        _begunWrite = null;
        _model.Enqueue(message);
    }

    private SharedRoom RoomBegun() => new(_writer.Writer, _begunWrite!.Value.Position, new byte[_begunWrite.Value.Length]);

    private void Read()
    {
        bool tries = _random.Next(2) == 0;
        _step = tries ? "try to read" : "read";
        byte[] destination = new byte[_model.TryPeek(out byte[]? expected) ? expected.Length + _random.Next(3) : 0];
        int length;
        if (tries)
        {
            Assert.Equal(expected is not null, _reader.TryRead(destination, out length));
        }
        else if (expected is not null)
        {
            length = _reader.Read(destination);
        }
        else
        {
            AssertCancelled(token => _reader.Read(destination, token));
            return;
        }

        _begunRead = expected is null ? _begunRead : null;
        Assert.Equal(expected ?? [], destination.AsSpan(0, length));
        _model.TryDequeue(out _);
    }

    private void BeginRead()
    {
        bool tries = _random.Next(2) == 0;
        _step = tries ? "try to begin to read" : "begin to read";
        SharedMessage message = default;
        if (tries)
        {
            Assert.Equal(_model.Count > 0, _reader.TryBeginRead(out message));
        }
        else if (_model.Count > 0)
        {
            message = _reader.BeginRead();
        }
        else
        {
            AssertCancelled(token => _reader.BeginRead(token));
            return;
        }

        if (_model.Count == 0)
        {
            Assert.True(message.Span.IsEmpty);
            return;
        }

        Assert.Equal(_model.Peek(), message.Span);
        Assert.Equal(_reader.ReadPosition, message.Position);
        _begunRead = message.Position;
        if (_random.Next(5) > 0)
        {
            EndRead();
        }
    }

    private void EndRead()
    {
        _step += ", end";
        SharedMessage message = new(_reader.Reader, _begunRead ?? _reader.ReadPosition, _model.TryPeek(out byte[]? next) ? next : []);
        if (_random.Next(3) > 0 && _begunRead is not null)
        {
            Assert.True(message.Pass());
            _model.Dequeue();
        }

        _begunRead = null;
        message.Dispose();
        Messages.Refusal<InvalidOperationException>(message);
    }

    /// <summary>Reads some messages ahead and passes some of those.</summary>
    private void ReadAhead()
    {
        long first = _reader.ReadPosition;
        Assert.Equal(_writer.WritePosition - Used, first);
        List<long> ends = [first];
        long position = first;
        foreach (byte[] expected in _model.Take(_random.Next(_model.Count + 1)))
        {
            Assert.True(_reader.TryReadAhead(ref position, out ReadOnlySpan<byte> message));
            Assert.Equal(expected, message);
            ends.Add(position);
        }

        Assert.Equal(ends.Count <= _model.Count, _reader.TryReadAhead(ref position, out _));
        int passed = _random.Next(ends.Count);
        _step = $"read {ends.Count - 1} ahead, pass {passed}";
        Assert.Throws<ArgumentOutOfRangeException>("position", () => _reader.AdvanceTo(ends[passed] + 1));
        _reader.AdvanceTo(ends[passed]);
        _begunRead = passed == 0 ? _begunRead : null;
        for (; passed > 0; passed--)
        {
            _model.Dequeue();
        }
    }
}

namespace Tarn.Tests.SharedMemory;

/// <summary>
/// A random program over every member of a ring and a queue of byte arrays, its model: messages come out as they went in, the room matches
/// the model, a refused call changes nothing, and after each step the header's equations hold.
/// </summary>
internal sealed class RingProgram : IDisposable
{
    private readonly Random _random;
    private readonly Queue<byte[]> _model = new();
    private readonly string _name;

    /// <summary>Never used for a message: it keeps the name.</summary>
    private readonly SharedRing _maker;
    private SharedRing _writer;
    private SharedRing _reader;

    /// <summary>The length requested from <c>BeginWrite</c>. Null when there is no begun write to end.</summary>
    private int? _begunWrite;
    private bool _isReadBegun;
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
            _begunWrite = AssertCancelled(token => _writer.Write(message, token)) ? _begunWrite : null;
            return;
        }

        _begunWrite = null;
        if (HasRoom(message.Length))
        {
            _model.Enqueue(message);
        }
    }

    /// <summary>Occasionally does nothing more, and a later step ends or forgets the begun write.</summary>
    private void BeginWrite(int length)
    {
        bool tries = _random.Next(2) == 0;
        _step = $"{(tries ? "try to begin" : "begin")} {length}";
        Span<byte> room = default;
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
            _begunWrite = AssertCancelled(token => _writer.BeginWrite(length, token)) ? _begunWrite : null;
            return;
        }

        _begunWrite = null;
        if (!HasRoom(length))
        {
            Assert.True(room.IsEmpty);
            return;
        }

        Assert.Equal(length, room.Length);
        _begunWrite = length;
        room.Fill(0xDD);
        int written = _random.Next(3) == 0 ? _random.Next(length + 1) : length;
        byte[] message = Bytes(written);
        message.CopyTo(room);
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
            Assert.Throws<InvalidOperationException>(() => _writer.EndWrite(0));
            return;
        }

        // The room is not known any more; only its length is.
        EndWrite([]);
    }

    private void EndWrite(byte[] message)
    {
        _step += $", end {message.Length}";
        int begun = _begunWrite!.Value;
        foreach (int wrong in (int[])[-1, begun + 1, begun + 8, int.MaxValue, int.MaxValue - 6, int.MinValue])
        {
            Assert.Throws<ArgumentOutOfRangeException>("length", () => _writer.EndWrite(wrong));
        }

        _writer.EndWrite(message.Length);
        _begunWrite = null;
        _model.Enqueue(message);
    }

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
            _isReadBegun &= AssertCancelled(token => _reader.Read(destination, token));
            return;
        }

        _isReadBegun = false;
        Assert.Equal(expected ?? [], destination.AsSpan(0, length));
        _model.TryDequeue(out _);
    }

    private void BeginRead()
    {
        bool tries = _random.Next(2) == 0;
        _step = tries ? "try to begin to read" : "begin to read";
        ReadOnlySpan<byte> message = default;
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
            _isReadBegun &= AssertCancelled(token => _reader.BeginRead(token));
            return;
        }

        _isReadBegun = false;
        if (_model.Count == 0)
        {
            Assert.True(message.IsEmpty);
            return;
        }

        Assert.Equal(_model.Peek(), message);
        _isReadBegun = true;
        if (_random.Next(5) > 0)
        {
            EndRead();
        }
    }

    private void EndRead()
    {
        _step += ", end";
        if (_isReadBegun)
        {
            _reader.EndRead();
            _isReadBegun = false;
            _model.Dequeue();
        }

        Assert.Throws<InvalidOperationException>(_reader.EndRead);
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
        Assert.Throws<ArgumentOutOfRangeException>("position", () => _reader.EndReadTo(ends[passed] + 1));
        _reader.EndReadTo(ends[passed]);
        _isReadBegun &= passed == 0;
        for (; passed > 0; passed--)
        {
            _model.Dequeue();
        }
    }

    private void RefuseLengths()
    {
        _step = "wrong lengths";
        int wrong = _random.Next(3) == 0 ? int.MaxValue : Longest + 1 + _random.Next(9);
        byte[] bytes = new byte[Math.Min(wrong, 10_000)];
        Assert.Throws<ArgumentException>("message", () => _writer.Write(bytes));
        Assert.Throws<ArgumentException>("message", () => _writer.TryWrite(bytes));
        foreach (int length in (int[])[wrong, -wrong])
        {
            Assert.Throws<ArgumentOutOfRangeException>("length", () => _writer.BeginWrite(length));
            Assert.Throws<ArgumentOutOfRangeException>("length", () => _writer.TryBeginWrite(length, out _));
        }
    }

    private void RefuseDestination()
    {
        _step = "too small a destination";
        if (_model.Count > 0 && _model.Peek() is { Length: > 0 } message)
        {
            _isReadBegun = false;
            byte[] destination = new byte[_random.Next(message.Length)];
            Assert.Throws<ArgumentException>("destination", () => _reader.Read(destination));
            Assert.Throws<ArgumentException>("destination", () => _reader.TryRead(destination, out _));
            Assert.Equal(new byte[destination.Length], destination);
        }
    }

    /// <summary>Another ring replaces the disposed one. A begun write is forgotten, and published messages stay.</summary>
    private void Succeed()
    {
        bool isWriter = _random.Next(2) == 0;
        _step = $"another {(isWriter ? "writer" : "reader")}";
        ref SharedRing ring = ref (isWriter ? ref _writer : ref _reader);
        SharedRing before = ring;
        ring = SharedRing.Open(_name);
        before.Dispose();
        if (isWriter)
        {
            Assert.Throws<ObjectDisposedException>(() => before.TryWrite([]));
            _begunWrite = null;
        }
        else
        {
            Assert.Throws<ObjectDisposedException>(() => before.TryRead([], out _));
            _isReadBegun = false;
        }
    }

    private void RefuseSecond()
    {
        _step = "a second one";
        _writer.AttachWriter();
        _reader.AttachReader();
        Assert.Throws<InvalidOperationException>(_maker.AttachWriter);
        Assert.Throws<InvalidOperationException>(() => _maker.TryWrite([]));
        Assert.Throws<InvalidOperationException>(_maker.AttachReader);
        Assert.Throws<InvalidOperationException>(() => _maker.TryRead([], out _));
        Assert.Equal((Environment.ProcessId, Environment.ProcessId), (_maker.WriterProcessId, _maker.ReaderProcessId));
    }

    /// <summary>Cancels before the call, which then does not begin, or while it waits. The call may report a departed peer first.</summary>
    /// <returns>Whether it was before.</returns>
    private bool AssertCancelled(Action<CancellationToken> call)
    {
        using CancellationTokenSource cancelled = new();
        bool isBefore = _random.Next(8) > 0;
        if (isBefore)
        {
            cancelled.Cancel();
        }
        else
        {
            cancelled.CancelAfter(TimeSpan.FromMilliseconds(1));
        }

        try
        {
            call(cancelled.Token);
            Assert.Fail("The call was not possible and not cancelled.");
        }
        catch (OperationCanceledException e)
        {
            Assert.Equal(cancelled.Token, e.CancellationToken);
        }
        catch (SharedPeerLostException e)
        {
            Assert.Equal((Environment.ProcessId, true), (e.ProcessId, e.HasLeft));
        }

        return isBefore;
    }
}

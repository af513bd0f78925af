namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>
/// A random program over every member of a topic, with several objects and readers, and its model: all messages that were published, and
/// where each reader is.
/// </summary>
internal sealed class TopicProgram : IDisposable
{
    private const int Readers = 4;

    private readonly Random _random;
    private readonly string _name;
    private readonly int _capacity;
    private readonly int _longest;
    private readonly List<byte[]> _messages = [];
    private readonly Modelled?[] _readers = new Modelled?[Readers];

    /// <summary>Never used for a message: it keeps the name.</summary>
    private readonly SharedTopic _maker;
    private SharedTopic _topic;
    private string _step = "nothing";

    internal TopicProgram(int seed, string name, int capacity, int longest)
    {
        _random = new Random(seed);
        (_name, _capacity, _longest) = (name, capacity, longest);
        _maker = SharedTopic.Create(name, capacity, longest);
        _topic = SharedTopic.Open(name);
    }

    private bool HasRoom =>
        _readers.All(reader => reader is not { Reader.HoldsWriter: true } || _messages.Count - reader.Position < _capacity);

    internal void Run(int steps)
    {
        for (int step = 0; step < steps; step++)
        {
            try
            {
                Step();
                _maker.Validate();
                Assert.Equal(_messages.Count, _maker.Position);
                Assert.Equal(_readers.Count(static reader => reader is { Reader.HoldsWriter: true }), _topic.HoldingReaderCount);
            }
            catch (Exception e)
            {
                string readers = string.Join(' ', _readers.Select(static reader => $"{reader?.Position}"));
                throw new InvalidOperationException($"Step {step} ({_step}) with {_messages.Count} and {readers}: {e.Message}", e);
            }
        }
    }

    public void Dispose()
    {
        Array.ForEach(_readers, static reader => reader?.Reader.Dispose());
        _topic.Dispose();
        _maker.Dispose();
    }

    private void Step()
    {
        int who = _random.Next(Readers);
        switch (_random.Next(40))
        {
            case < 10:
                Write();
                break;
            case < 16:
                WriteInPlace();
                break;
            case < 18:
                for (int i = _random.Next(2 * _capacity); i > 0; i--)
                {
                    Write();
                }

                break;
            case < 34:
                Read(who);
                break;
            case < 38:
                Replace(who);
                break;
            case < 39:
                _step = "another writer";
                Array.ForEach(_readers, static reader => reader?.Reader.Dispose());
                Array.Clear(_readers);
                _topic.Dispose();
                _topic = SharedTopic.Open(_name);
                break;
            default:
                RefuseDestination(who);
                break;
        }
    }

    private TimeSpan Timeout(bool succeeds) =>
        _random.Next(2) == 0 ? TimeSpan.Zero : succeeds ? TimeSpan.FromSeconds(60) : TimeSpan.FromMilliseconds(_random.Next(2));

    private byte[] Bytes()
    {
        byte[] bytes = new byte[_random.Next(_longest + 1)];
        _random.NextBytes(bytes);
        return bytes;
    }

    private void Write()
    {
        _step = "writes";
        byte[] message = Bytes();
        bool hasRoom = HasRoom;
        Assert.Equal(hasRoom, _topic.Write(message, Timeout(hasRoom)));
        if (hasRoom)
        {
            _messages.Add(message);
        }
    }

    private void WriteInPlace()
    {
        _step = "writes in place";
        byte[] message = Bytes();
        bool hasRoom = HasRoom;
        Assert.Equal(hasRoom, _topic.BeginWrite(_topic.MaxMessageLength, out SharedRoom room, Timeout(hasRoom)));
        if (!hasRoom)
        {
            return;
        }

        using (room)
        {
            Assert.Equal(_messages.Count, room.Position);
            message.CopyTo(room.Span);
            if (_random.Next(3) > 0)
            {
                room.Commit(message.Length);
                _messages.Add(message);
            }
        }
    }

    /// <summary>Null where nobody reads.</summary>
    private byte[]? Expected(int who, out Modelled? reader)
    {
        reader = _readers[who];
        return reader is null || !reader.TrySkip(_messages.Count, _capacity) ? null : _messages[(int)reader.Position];
    }

    private void Read(int who)
    {
        _step = $"{who} reads";
        byte[]? expected = Expected(who, out Modelled? reader);
        if (reader is null)
        {
            return;
        }

        TimeSpan timeout = Timeout(expected is not null);
        if (_random.Next(2) == 0)
        {
            byte[] destination = new byte[_longest];
            Assert.Equal(expected is not null, reader.Reader.Read(destination, out int length, timeout));
            Assert.Equal(expected ?? [], destination.AsSpan(0, length));
        }
        else if (reader.Reader.BeginRead(out SharedMessage message, timeout))
        {
            Assert.Equal(reader.Position, message.Position);
            Assert.Equal(expected!, message.Span);
            bool isEnded = _random.Next(3) > 0;
            if (isEnded)
            {
                Assert.True(message.Pass());
            }
            else
            {
                message.Dispose();
            }

            message.Dispose();
            expected = isEnded ? expected : null;
        }
        else
        {
            Assert.Null(expected);
        }

        reader.Position += expected is null ? 0 : 1;
        Assert.Equal((reader.Position, reader.Lost), (reader.Reader.Position, reader.Reader.LostCount));
    }

    private void Replace(int who)
    {
        _step = $"another {who}";
        _readers[who]?.Reader.Dispose();
        if (_random.Next(4) == 0)
        {
            _readers[who] = null;
            return;
        }

        bool holds = _random.Next(2) == 0;
        int oldest = Math.Max(0, _messages.Count - _capacity);
        int wanted = _random.Next(3) switch { 0 => oldest, 1 => _messages.Count, _ => _random.Next(_messages.Count + 1) };
        SharedTopicReader reader = wanted == oldest && _random.Next(2) == 0 ? _topic.OpenReader(fromOldest: true, holds)
            : wanted == _messages.Count && _random.Next(2) == 0 ? _topic.OpenReader(holdsWriter: holds)
            : _topic.OpenReaderAt(wanted, holds);
        Assert.InRange(
            reader.Position, Math.Max(wanted, oldest), Math.Max(wanted, oldest + (holds ? TopicHeader.StepOf(_capacity) : 0)));
        Assert.True(reader.Position <= _messages.Count, "no reader is ahead of the writer");
        Assert.Equal(holds, reader.HoldsWriter);
        _readers[who] = new Modelled(reader) { Position = reader.Position, Lost = reader.LostCount };
    }

    private void RefuseDestination(int who)
    {
        _step = $"{who} reads into too little";
        if (Expected(who, out Modelled? reader) is { Length: > 0 } message)
        {
            byte[] destination = new byte[_random.Next(message.Length)];
            Assert.Throws<ArgumentException>("destination", () => reader!.Reader.TryRead(destination, out _));
            Assert.Equal(new byte[destination.Length], destination);
        }
    }

    private sealed class Modelled(SharedTopicReader reader)
    {
        internal SharedTopicReader Reader => reader;

        internal long Position { get; set; }

        internal long Lost { get; set; }

        /// <summary>Goes on after what was overwritten; false if there is nothing to read.</summary>
        internal bool TrySkip(long tail, int capacity)
        {
            // The writer has announced whole steps, so it depends on where it began whether a message that is a little farther behind than
            // the capacity is still believed. The reader tells.
            if (tail - Position > capacity && !reader.HoldsWriter)
            {
                if (reader.TryBeginRead(out SharedMessage message))
                {
                    message.Dispose();
                    long skipped = tail - capacity + (capacity / 4) - Position;
                    bool isKept = reader.Position == Position && tail - Position <= capacity + TopicHeader.StepOf(capacity);
                    Assert.Equal(isKept ? 0 : skipped, reader.LostCount - Lost);
                    (Position, Lost) = (reader.Position, reader.LostCount);
                }
            }

            return Position < tail;
        }
    }
}

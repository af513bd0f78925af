namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>
/// A random program over every member of a queue, with several objects, and its model: what is in the slots, turn by turn, and the messages
/// that were returned.
/// </summary>
internal sealed class QueueProgram : IDisposable
{
    private const int Objects = 3;

    private readonly Random _random;
    private readonly string _name;
    private readonly int _capacity;
    private readonly int _longest;

    /// <summary>All positions whose room is in use, in order.</summary>
    private readonly List<Slot> _slots = [];
    private readonly SharedQueue[] _queues = new SharedQueue[Objects];
    private readonly long[] _counts = new long[2];
    private string _step = "nothing";

    internal QueueProgram(int seed, string name, int capacity, int longest)
    {
        _random = new Random(seed);
        (_name, _capacity, _longest) = (name, capacity, longest);
        _queues[0] = SharedQueue.Create(name, capacity, longest);
        for (int i = 1; i < Objects; i++)
        {
            _queues[i] = SharedQueue.Open(name);
        }
    }

    private enum State
    {
        Claimed,
        Published,
        Taken,
        Returned,
        Skipped,
        Passed,
    }

    /// <summary>The slots are reused in order, so the first that is in use decides whether there is room.</summary>
    private bool HasRoom => _next - Oldest < _capacity;

    private long _next;

    private long Oldest => _slots.Count == 0 ? _next : _slots[0].Position;

    internal void Run(int steps)
    {
        for (int step = 0; step < steps; step++)
        {
            try
            {
                Step();
                _slots.RemoveAll(static slot => slot.State == State.Passed);
                _queues[0].Validate();
                Assert.Equal((_counts[0], _counts[1]), (_queues[1].SkippedCount, _queues[2].ReturnedCount));
            }
            catch (Exception e)
            {
                string slots = string.Join(' ', _slots.Select(static slot => $"{slot.Position}:{slot.State}"));
                throw new InvalidOperationException($"Step {step} ({_step}) with {slots}: {e.Message}", e);
            }
        }
    }

    public void Dispose() => Array.ForEach(_queues, static queue => queue.Dispose());

    private void Step()
    {
        int who = _random.Next(Objects);
        switch (_random.Next(20))
        {
            case < 5:
                Write(who);
                break;
            case < 7:
                BeginWrite(who);
                break;
            case < 9:
                EndWrite();
                break;
            case < 14:
                Read(who);
                break;
            case < 16:
                BeginRead(who);
                break;
            case < 18:
                EndRead();
                break;
            case < 19:
                RefuseDestination(who);
                break;
            default:
                Succeed(_random.Next(1, Objects));
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

    private void Write(int who)
    {
        _step = $"{who} writes";
        byte[] message = Bytes();
        bool hasRoom = HasRoom;
        Assert.Equal(hasRoom, _queues[who].Write(message, Timeout(hasRoom)));
        if (hasRoom)
        {
            _slots.Add(new Slot(_next++) { State = State.Published, Message = message });
        }
    }

    private void BeginWrite(int who)
    {
        _step = $"{who} begins to write";
        bool hasRoom = HasRoom;
        byte[] message = Bytes();
        int length = message.Length + _random.Next(_longest + 1 - message.Length);
        Assert.Equal(hasRoom, _queues[who].BeginWrite(length, out SharedRoom room, Timeout(hasRoom)));
        if (hasRoom)
        {
            Assert.Equal((length, _next), (room.Span.Length, room.Position));
            message.CopyTo(room.Span);
            _slots.Add(new Slot(_next++) { State = State.Claimed, Message = message, Holder = who });
        }
    }

    /// <summary>Of a room that was begun in an earlier step: a room cannot be kept, so another one stands for it.</summary>
    private void EndWrite()
    {
        Slot[] claimed = [.. _slots.Where(static slot => slot.State == State.Claimed)];
        if (claimed.Length == 0)
        {
            return;
        }

        Slot slot = claimed[_random.Next(claimed.Length)];
        _step = $"{slot.Holder} ends the write of {slot.Position}";
        SharedRoom room = new(_queues[slot.Holder].Writers, slot.Position, new byte[_longest]);
        if (_random.Next(4) > 0)
        {
            room.Commit(slot.Message.Length);
            slot.State = State.Published;
        }
        else
        {
            room.Dispose();
            slot.State = State.Skipped;
        }
    }

    /// <summary>
    /// The message that the next read gets: the oldest that was returned, else the first that nobody has, if it is published.
    /// </summary>
    private Slot? Next()
    {
        if (_slots.Find(static slot => slot.State == State.Returned) is { } returned)
        {
            return returned;
        }

        Slot? first = _slots.Find(static slot => slot.State is State.Published or State.Claimed);
        foreach (Slot slot in _slots.Where(slot => slot.State == State.Skipped && (first is null || slot.Position < first.Position)))
        {
            slot.State = State.Passed;
        }

        return first?.State == State.Published ? first : null;
    }

    private void Read(int who)
    {
        _step = $"{who} reads";
        Slot? expected = Next();
        byte[] destination = new byte[_longest];
        Assert.Equal(expected is not null, _queues[who].Read(destination, out int length, Timeout(expected is not null)));
        Assert.Equal(expected?.Message ?? [], destination.AsSpan(0, length));
        expected?.State = State.Passed;
    }

    private void BeginRead(int who)
    {
        _step = $"{who} begins to read";
        Slot? expected = Next();
        Assert.Equal(expected is not null, _queues[who].BeginRead(out SharedMessage message, Timeout(expected is not null)));
        Assert.Equal(expected?.Message ?? [], message.Span);
        if (expected is not null)
        {
            Assert.Equal(expected.Position, message.Position);
            (expected.State, expected.Holder) = (State.Taken, who);
        }
    }

    private void EndRead()
    {
        Slot[] taken = [.. _slots.Where(static slot => slot.State == State.Taken)];
        if (taken.Length == 0)
        {
            return;
        }

        Slot slot = taken[_random.Next(taken.Length)];
        _step = $"{slot.Holder} ends the read of {slot.Position}";
        SharedMessage message = new(_queues[slot.Holder].Readers, slot.Position, []);
        if (_random.Next(3) > 0)
        {
            Assert.True(message.Pass());
            message.Dispose();
            slot.State = State.Passed;
        }
        else
        {
            message.Dispose();
            slot.State = State.Returned;
            _counts[1]++;
        }
    }

    private void RefuseDestination(int who)
    {
        _step = $"{who} reads into too little";
        Slot? next = Next();
        byte[] destination = new byte[_random.Next(next?.Message.Length ?? 0)];
        if (next is { Message.Length: > 0 })
        {
            Assert.Throws<ArgumentException>("destination", () => _queues[who].TryRead(destination, out _));
            Assert.Equal(new byte[destination.Length], destination);
            return;
        }

        Assert.Equal(next is not null, _queues[who].TryRead(destination, out _));
        next?.State = State.Passed;
    }

    /// <summary>Another object replaces a disposed one: what that began is skipped, what it took is returned.</summary>
    private void Succeed(int who)
    {
        _step = $"another {who}";
        _queues[who].Dispose();
        _queues[who] = SharedQueue.Open(_name);
        foreach (Slot slot in _slots.Where(slot => slot.Holder == who))
        {
            (slot.State, int count) = slot.State switch
            {
                State.Claimed => (State.Skipped, 0),
                State.Taken => (State.Returned, 1),
                _ => (slot.State, -1),
            };
            if (count >= 0)
            {
                _counts[count]++;
            }
        }
    }

    private sealed class Slot(long position)
    {
        internal long Position { get; } = position;

        internal State State { get; set; }

        internal byte[] Message { get; init; } = [];

        internal int Holder { get; set; } = -1;
    }
}

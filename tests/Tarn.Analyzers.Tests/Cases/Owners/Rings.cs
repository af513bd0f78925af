using System;
using System.Runtime.InteropServices;
using System.Threading;
using Tarn;

// Silent: a message is used between its begin and its end, and what is kept of it is a copy.
static class RingsUsedWell
{
    internal static int Read(SharedRing ring)
    {
        ReadOnlySpan<byte> message = ring.BeginRead();
        int first = message[0];
        byte[] copy = message.ToArray();
        ring.EndRead();
        return first + copy[0] + message.Length;
    }

    internal static void ReadAll(SharedRing ring)
    {
        while (ring.TryBeginRead(out ReadOnlySpan<byte> message))
        {
            Sink.Take(message);
            ring.EndRead();
        }
    }

    internal static void ReadForEver(SharedRing ring, CancellationToken cancellation)
    {
        while (true)
        {
            ReadOnlySpan<byte> message = ring.BeginRead(cancellation);
            Sink.Take(message);
            ring.EndRead();
        }
    }

    internal static void ReadInto(SharedRing ring)
    {
        ReadOnlySpan<byte> message = ring.BeginRead();
        ring.EndRead();
        message = ring.BeginRead();
        Sink.Take(message);
        ring.EndRead();
    }

    internal static void Write(SharedRing ring)
    {
        Span<byte> room = ring.BeginWrite(8);
        room.Clear();
        ring.EndWrite(room.Length);
    }

    // Each side ends its own.
    internal static void Forward(SharedRing ring)
    {
        ReadOnlySpan<byte> message = ring.BeginRead();
        Span<byte> room = ring.BeginWrite(message.Length);
        message.CopyTo(room);
        ring.EndWrite(room.Length);
        Sink.Take(message);
        ring.EndRead();
    }

    // Each ring ends its own.
    internal static void Copy(SharedRing from, SharedRing to)
    {
        ReadOnlySpan<byte> message = from.BeginRead();
        ReadOnlySpan<byte> other = to.BeginRead();
        to.EndRead();
        Sink.Take(message);
        from.EndRead();
        Sink.Take(default);
    }

    // The variable has another ring by then.
    internal static void Replaced(SharedRing ring, SharedRing next)
    {
        ReadOnlySpan<byte> message = ring.BeginRead();
        ring = next;
        ring.EndRead();
        Sink.Take(message);
    }

    internal static void ReplacedByUnknown(SharedRing ring)
    {
        ReadOnlySpan<byte> message = ring.BeginRead();
        ring = Sink.Other();
        ring.BeginRead();
        ring.EndRead();
        Sink.Take(message);
    }

    // Which ring it is, is not known.
    internal static void Elements(SharedRing[] rings, int i)
    {
        ReadOnlySpan<byte> message = rings[i].BeginRead();
        rings[i + 1].EndRead();
        Sink.Take(message);
    }

    internal static void Sometimes(SharedRing ring, bool ends, bool uses)
    {
        ReadOnlySpan<byte> message = ring.BeginRead();
        if (ends)
        {
            ring.EndRead();
        }

        if (uses)
        {
            Sink.Take(message);
        }
    }

    internal static int InUsing(string name)
    {
        using SharedRing ring = SharedRing.Open(name);
        ReadOnlySpan<byte> message = ring.BeginRead();
        int first = message[0];
        ring.EndRead();
        return first;
    }
}

static class RingsUsedLate
{
    internal static int Read(SharedRing ring)
    {
        ReadOnlySpan<byte> message = ring.BeginRead();
        ring.EndRead();
        return message[0]; // expect TARN002
    }

    internal static void Write(SharedRing ring)
    {
        Span<byte> room = ring.BeginWrite(8);
        ring.EndWrite(8);
        room[0] = 1; // expect TARN002
    }

    internal static void TryRead(SharedRing ring)
    {
        if (ring.TryBeginRead(out ReadOnlySpan<byte> message))
        {
            ring.EndRead();
            Sink.Take(message); // expect TARN002
        }
    }

    internal static void TryWrite(SharedRing ring)
    {
        Span<byte> room;
        while (!ring.TryBeginWrite(4, out room))
        {
            Thread.Yield();
        }

        ring.EndWrite(4);
        room.Fill(1); // expect TARN002
    }

    internal static int Slice(SharedRing ring)
    {
        ReadOnlySpan<int> numbers = MemoryMarshal.Cast<byte, int>(ring.BeginRead()[4..]);
        ring.EndRead();
        return numbers[0]; // expect TARN002
    }

    internal static int Disposed(string name)
    {
        SharedRing ring = SharedRing.Open(name);
        ReadOnlySpan<byte> message = ring.BeginRead();
        ring.Dispose();
        return message[0]; // expect TARN002
    }

    internal static int AfterUsing(string name)
    {
        ReadOnlySpan<byte> message;
        using (SharedRing ring = SharedRing.Open(name))
        {
            ring.TryBeginRead(out message);
        }

        return message[0]; // expect TARN002
    }

    internal static ReadOnlySpan<byte> OutOfReach(string name)
    {
        using SharedRing ring = SharedRing.Open(name);
        return ring.BeginRead(); // expect TARN003
    }

    internal static ReadOnlySpan<byte> Ended(SharedRing ring)
    {
        try
        {
            return ring.BeginRead(); // expect TARN003
        }
        finally
        {
            ring.EndRead();
        }
    }

    internal static ReadOnlySpan<byte> EndedLast(SharedRing ring)
    {
        ReadOnlySpan<byte> message = ring.BeginRead();
        try
        {
            return message; // expect TARN003
        }
        finally
        {
            ring.Dispose();
        }
    }

    internal static void OfSecond(SharedRing from, SharedRing to)
    {
        ReadOnlySpan<byte> first = from.BeginRead();
        ReadOnlySpan<byte> second = to.BeginRead();
        to.EndRead();
        Sink.Take(first);
        Sink.Take(second); // expect TARN002
        from.EndRead();
    }
}

sealed class Camera(string name) : IDisposable
{
    private readonly SharedRing _ring = SharedRing.Open(name);
    private SharedRing _other = SharedRing.Open(name);

    internal int Read()
    {
        ReadOnlySpan<byte> message = _ring.BeginRead();
        Sink.Take(message);
        Sink.Other();
        _ring.EndRead();
        return message[0]; // expect TARN002
    }

    // Other code may have set the field meanwhile.
    internal int ReadOther()
    {
        ReadOnlySpan<byte> message = _other.BeginRead();
        Sink.Other();
        _other.EndRead();
        return message[0];
    }

    internal void Replace() => _other = Sink.Other();

    public void Dispose()
    {
        _ring.Dispose();
        _other.Dispose();
    }
}

static class Sink
{
    internal static void Take(ReadOnlySpan<byte> bytes) => Console.WriteLine(bytes.Length);

    internal static SharedRing Other() => SharedRing.Open("other");
}

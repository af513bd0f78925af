using System;
using System.Threading;
using Tarn;
using Tarn.SharedMemory;

// Silent: a message is ended or disposed on every path, and not used afterwards.
static class QueuesUsedWell
{
    internal static bool Write(SharedQueue queue)
    {
        if (!queue.TryBeginWrite(100, out SharedRoom room))
        {
            return false;
        }

        using (room)
        {
            room.Span[..100].Fill(7);
            room.Commit(100);
        }

        return true;
    }

    internal static void GivenUp(SharedQueue queue, bool isWanted)
    {
        if (queue.TryBeginWrite(100, out SharedRoom room))
        {
            using (room)
            {
                if (isWanted)
                {
                    room.Commit(room.Span.Length);
                }
            }
        }
    }

    internal static int Read(SharedQueue queue)
    {
        int sum = 0;
        while (queue.BeginRead(out SharedMessage message, TimeSpan.FromSeconds(1)))
        {
            using (message)
            {
                sum += message.Span[0];
                message.Pass();
            }
        }

        return sum;
    }

    internal static int InFinally(SharedQueue queue)
    {
        bool isThere = queue.TryBeginRead(out SharedMessage message);
        if (!isThere)
        {
            return -1;
        }

        try
        {
            int first = message.Span[0];
            message.Pass();
            return first;
        }
        finally
        {
            message.Dispose();
        }
    }

    internal static void Waits(SharedQueue queue, CancellationToken stop)
    {
        SharedMessage message;
        while (!queue.BeginRead(out message, TimeSpan.FromSeconds(1), stop))
        {
            Thread.Yield();
        }

        message.Pass();
    }

    internal static void Forward(SharedQueue from, SharedQueue to)
    {
        if (from.TryBeginRead(out SharedMessage message))
        {
            using (message)
            {
                if (to.TryBeginWrite(100, out SharedRoom room))
                {
                    using (room)
                    {
                        message.Span.CopyTo(room.Span);
                        room.Commit(message.Span.Length);
                        message.Pass();
                    }
                }
            }
        }
    }

    internal static void Copies(SharedQueue queue)
    {
        if (queue.TryBeginRead(out SharedMessage message))
        {
            byte[] copy = message.Span.ToArray();
            message.Pass();
            Console.WriteLine(copy.Length);
        }
    }
}

static class QueuesUsedLate
{
    internal static void AfterEnd(SharedQueue queue)
    {
        if (queue.TryBeginWrite(100, out SharedRoom room))
        {
            room.Commit(4);
            room.Span[0] = 1; // expect TARN002
        }
    }

    internal static int SpanAfterEnd(SharedQueue queue)
    {
        if (!queue.TryBeginRead(out SharedMessage message))
        {
            return 0;
        }

        ReadOnlySpan<byte> span = message.Span[1..];
        message.Pass();
        return span[0]; // expect TARN002
    }

    internal static int AfterUsing(SharedQueue queue)
    {
        ReadOnlySpan<byte> span = default;
        if (queue.TryBeginRead(out SharedMessage message))
        {
            using (message)
            {
                span = message.Span;
                message.Pass();
            }

            return span[0]; // expect TARN002
        }

        return span.Length;
    }

    internal static void EndedTwice(SharedQueue queue)
    {
        if (queue.TryBeginRead(out SharedMessage message))
        {
            message.Pass();
            message.Pass(); // expect TARN001
        }
    }

    internal static void EndedAfterDispose(SharedQueue queue)
    {
        if (queue.TryBeginWrite(100, out SharedRoom room))
        {
            room.Dispose();
            room.Commit(1); // expect TARN001
        }
    }
}

static class QueuesNotEnded
{
    internal static void Never(SharedQueue queue)
    {
        if (queue.TryBeginWrite(100, out SharedRoom room)) // expect TARN011
        {
            room.Span.Fill(1);
        }
    }

    internal static int OnOnePath(SharedQueue queue)
    {
        if (!queue.TryBeginRead(out SharedMessage message)) // expect TARN011
        {
            return 0;
        }

        if (message.Span.Length == 0)
        {
            return 1;
        }

        int first = message.Span[0];
        message.Pass();
        return first;
    }
}

// Silent: a call that throws has begun nothing, and what it hands out by its parameter is the caller's.
static class QueuesOfCallers
{
    internal static byte[]? Copy(SharedQueue queue)
    {
        if (!TryNext(queue, out SharedMessage message))
        {
            return null;
        }

        using (message)
        {
            byte[] copy = message.Span.ToArray();
            message.Pass();
            return copy;
        }
    }

    private static bool TryNext(SharedQueue queue, out SharedMessage message)
    {
        if (queue.Name.Length == 0)
        {
            throw new ArgumentException("It has no name.", nameof(queue));
        }

        return queue.TryBeginRead(out message);
    }
}

using System.Diagnostics;
using System.Globalization;
using Samples;
using Tarn;

const int MessageLength = 256;

int? receivers = null;
int messages = 100;
bool isKnown = args.Length % 2 == 0;
for (int i = 0; isKnown && i < args.Length; i += 2)
{
    isKnown = int.TryParse(args[i + 1], CultureInfo.InvariantCulture, out int count) && count > 0;
    switch (args[i])
    {
        case "--receivers":
            receivers = count;
            break;
        case "--messages":
            messages = count;
            break;
        default:
            isKnown = false;
            break;
    }
}

if (!isKnown)
{
    Console.Error.WriteLine($"Unknown arguments: {string.Join(' ', args)}.");
    Console.Error.WriteLine("Usage: [--receivers <number from 1>] [--messages <number from 1>]");
    return 2;
}

BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "messages" });
Receiver[] all = [.. Enumerable.Range(0, receivers ?? 10_000).Select(static _ => new Receiver())];
long held = 0;

// Before the clock: the first messages fill the pool, and the receivers' queues. The runtime compiles the loops while they run, and may
// allocate for that.
int first = 2 + (20_000 / all.Length);
long sent = Send(first);
long allocated = GC.GetAllocatedBytesForCurrentThread();

long start = Stopwatch.GetTimestamp();
sent += Send(messages);
TimeSpan time = Stopwatch.GetElapsedTime(start);
allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;

long inUse = pool.GetStatistics().InUseBytes;
bool isRight = all.All(receiver => receiver.Sum == sent && receiver.Bytes == (first + (long)messages) * MessageLength);
Console.WriteLine(string.Create(
    CultureInfo.InvariantCulture,
    $"{messages:N0} messages to {all.Length:N0} receivers, {(double)messages * all.Length / time.TotalSeconds:N0} slices a second."));
Console.WriteLine(string.Create(
    CultureInfo.InvariantCulture,
    $"A message held {held:N0} bytes, {inUse:N0} are in use now; {allocated / messages:N0} managed bytes allocated a message."));
Console.WriteLine(isRight ? "Every receiver read every message." : "A receiver read something else than what was sent.");
return isRight ? 0 : 1;

// Returns the sum of all bytes sent to each receiver.
long Send(int count)
{
    long sum = 0;
    for (int i = 0; i < count; i++)
    {
        using (CountedBuffer<byte> message = CountedBuffer<byte>.Rent(pool, MessageLength))
        {
            message.Span.Fill((byte)i);
            sum += (byte)i * (long)MessageLength;
            foreach (Receiver receiver in all)
            {
                receiver.Post(message.Slice());
            }
        }

        // The sender has disposed its part; the receivers' slices hold the buffer.
        held = held == 0 ? pool.GetStatistics().InUseBytes : held;
        foreach (Receiver receiver in all)
        {
            receiver.ReadAll();
        }
    }

    return sum;
}

using System.Buffers.Binary;
using Tarn.SharedMemory;

namespace Tarn.Samples.Tests;

/// <summary>
/// The programs at both ends of the bridge: one writes messages to a ring, the other looks at each that comes out of the other ring.
/// </summary>
internal sealed class BridgeTraffic(bool isPaced) : IDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    private readonly CancellationTokenSource _stop = new();
    private Task<long>? _writing;
    private Task<string?>? _reading;
    private long _last = long.MaxValue;
    private long _read;

    internal SharedRing Source { get; } = SharedRing.Create($"test-{Guid.NewGuid():N}", 1 << 16);

    internal SharedRing Destination { get; } = SharedRing.Create($"test-{Guid.NewGuid():N}", 1 << 16);

    internal void Start()
    {
        _writing = Task.Factory.StartNew(Write, TaskCreationOptions.LongRunning);
        _reading = Task.Factory.StartNew(Read, TaskCreationOptions.LongRunning);
    }

    /// <summary>Returns true when so many more messages arrived, or one was wrong; false if they do not come.</summary>
    internal bool AwaitMore(int messages)
    {
        long target = Interlocked.Read(ref _read) + messages;
        return SpinWait.SpinUntil(
            () =>
            {
                Thread.Sleep(1);
                return Interlocked.Read(ref _read) >= target || _reading!.IsCompleted || _writing!.IsCompleted;
            },
            s_limit);
    }

    /// <summary>Writes no more, and waits until all has arrived.</summary>
    /// <returns>The number of messages, and the first thing that was wrong.</returns>
    internal async Task<(long Written, string? Wrong)> EndAsync()
    {
        await _stop.CancelAsync();
        long written = await _writing!;
        Interlocked.Exchange(ref _last, written);
        try
        {
            string? wrong = await _reading!.WaitAsync(s_limit);
            return (written, wrong);
        }
        catch (TimeoutException)
        {
            return (written, $"{Interlocked.Read(ref _read)} of {written} messages arrived in {s_limit}.");
        }
    }

    public void Dispose()
    {
        _stop.Cancel();
        Source.Dispose();
        Destination.Dispose();
    }

    /// <summary>A message of its own for each number, of 8 to 300 bytes; sometimes a long one.</summary>
    private static byte[] Message(long number)
    {
        Random random = new((int)number);
        byte[] message = new byte[random.Next(50) == 0 ? 20_000 : random.Next(8, 300)];
        random.NextBytes(message);
        BinaryPrimitives.WriteInt64LittleEndian(message, number);
        return message;
    }

    private long Write()
    {
        long number = 0;
        while (true)
        {
            try
            {
                for (; !_stop.IsCancellationRequested; number++)
                {
                    Source.Write(Message(number), _stop.Token);
                    if (isPaced && number % 10 == 0)
                    {
                        Thread.Sleep(5);
                    }
                }

                return number;
            }
            catch (OperationCanceledException)
            {
                return number;
            }
            catch (SharedPeerLostException)
            {
                // The sender was killed. Its successor reads on.
            }
        }
    }

    private string? Read()
    {
        byte[] message = new byte[Destination.MaxMessageLength];
        for (long number = 0; number < Interlocked.Read(ref _last); number++)
        {
            int? length = null;
            while (length is null)
            {
                length = ReadOne(message);
                if (length is null && number >= Interlocked.Read(ref _last))
                {
                    return null;
                }
            }

            if (!message.AsSpan(0, length.Value).SequenceEqual(Message(number)))
            {
                return $"Message {BinaryPrimitives.ReadInt64LittleEndian(message)} of {length} bytes came in place of message {number}.";
            }

            Interlocked.Increment(ref _read);
        }

        Thread.Sleep(50);
        return Destination.TryBeginRead(out _) ? "A message came after the last one." : null;
    }

    /// <summary>Null if there is none for a while, or the writer was killed.</summary>
    private int? ReadOne(byte[] message)
    {
        using CancellationTokenSource soon = new(TimeSpan.FromMilliseconds(100));
        try
        {
            return Destination.Read(message, soon.Token);
        }
        catch (Exception e) when (e is OperationCanceledException or SharedPeerLostException)
        {
            return null;
        }
    }
}

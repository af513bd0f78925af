using System.Diagnostics;
using System.Threading.Channels;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Arrays;

/// <summary>
/// Asynchronous requests on the thread pool: a request rents a head, a body and some parts, awaits in between, and returns them on its
/// current thread. One in eight sends a buffer to two tasks that return it. An iteration is a request.
/// </summary>
/// <remarks>The code that returns a buffer verifies its first and last byte, or the run fails.</remarks>
internal sealed class AsyncRequests<TPool>(string name, TPool pool) : Trial(name, operationsPerIteration: 1)
    where TPool : struct, IBytePool
{
    /// <summary>Requests at a time.</summary>
    public const int Clients = 64;

    private const int HeadLength = 4 << 10;
    private const int LongestBody = 300_000;
    private const int PartLength = 16 << 10;
    private const int MostParts = 12;
    private const int SentLength = 64 << 10;
    private const int RequestsPerSent = 8;
    private const int Senders = 2;

    private readonly TPool _pool = pool;
    private int _left;
    private long _inUse;
    private long _peak;
    private long _rented;

    /// <summary>Bytes of the buffers given so far.</summary>
    public long RentedBytes => Volatile.Read(ref _rented);

    /// <summary>The most bytes that were in use at once so far, by the lengths of the buffers given.</summary>
    public long PeakInUseBytes => Volatile.Read(ref _peak);

    /// <summary>Bytes that the process allocated during runs.</summary>
    public long AllocatedBytes { get; private set; }

    /// <summary>Restarts the counters above.</summary>
    public void BeginCounting()
    {
        _peak = 0;
        _rented = 0;
        AllocatedBytes = 0;
    }

    public override double Run(int iterations)
    {
        _left = iterations;
        long before = GC.GetTotalAllocatedBytes(precise: true);
        long start = Stopwatch.GetTimestamp();
        RunClients().GetAwaiter().GetResult();
        double spent = Stopwatch.GetElapsedTime(start).TotalNanoseconds;
        AllocatedBytes += GC.GetTotalAllocatedBytes(precise: true) - before;
        return spent;
    }

    private async Task RunClients()
    {
        Channel<byte[]> sent = Channel.CreateBounded<byte[]>(Clients);
        Task[] senders = [.. Enumerable.Range(0, Senders).Select(_ => Task.Run(() => Send(sent.Reader)))];
        await Task.WhenAll(Enumerable.Range(0, Clients).Select(client => Task.Run(() => Serve(client, sent.Writer))));
        sent.Writer.Complete();
        await Task.WhenAll(senders);
    }

    private async Task Serve(int client, ChannelWriter<byte[]> sent)
    {
        var random = new Random(client);
        var parts = new byte[MostParts][];
        while (Interlocked.Decrement(ref _left) >= 0)
        {
            byte[] head = Rent(HeadLength);
            await Task.Yield();
            byte[] body = Rent((int)Math.Exp(random.NextDouble() * Math.Log(LongestBody)));
            if (random.Next(RequestsPerSent) == 0)
            {
                await sent.WriteAsync(Rent(SentLength));
            }

            await Task.Yield();
            int count = random.Next(MostParts);
            for (int part = 0; part < count; part++)
            {
                parts[part] = Rent(PartLength);
            }

            await Task.Yield();
            for (int part = 0; part < count; part++)
            {
                Return(parts[part]);
            }

            Return(body);
            Return(head);
        }
    }

    private async Task Send(ChannelReader<byte[]> sent)
    {
        await foreach (byte[] buffer in sent.ReadAllAsync())
        {
            Return(buffer);
        }
    }

    private byte[] Rent(int length)
    {
        byte[] buffer = _pool.Rent(length);
        Interlocked.Add(ref _rented, buffer.Length);
        long now = Interlocked.Add(ref _inUse, buffer.Length);
        for (long peak = Volatile.Read(ref _peak); now > peak; peak = Volatile.Read(ref _peak))
        {
            _ = Interlocked.CompareExchange(ref _peak, now, peak);
        }

        // Both bytes identify the owner; a buffer of one byte has only one.
        buffer[0] = (byte)now;
        buffer[^1] = buffer.Length > 1 ? (byte)~buffer[0] : buffer[0];
        return buffer;
    }

    private void Return(byte[] buffer)
    {
        if (buffer.Length > 1 && buffer[^1] != (byte)~buffer[0])
        {
            throw new InvalidOperationException($"{Name} gave a buffer of {buffer.Length} bytes to two requests at the same time.");
        }

        // So that a second owner notices.
        buffer[0] = 0;
        buffer[^1] = 0;
        Interlocked.Add(ref _inUse, -buffer.Length);
        _pool.Return(buffer);
    }
}

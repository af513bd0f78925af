using System.Buffers;
using System.IO.Pipelines;
using Tarn.SharedMemory.Tests.Carriers;

namespace Tarn.SharedMemory.Tests.Pipes;

/// <summary>Random writers and readers of bytes: what is read is what was written, whatever cancels, and nothing is left.</summary>
public sealed class RingPipeProgramTests : RingTest
{
    public static TheoryData<int> Seeds => RandomProgram.Seeds(6);

    [Theory]
    [MemberData(nameof(Seeds))]
    public async Task All_bytes_come_in_order(int seed)
    {
        Random random = new(seed);
        SharedRing ring = Create(64 << random.Next(8));
        PipeReader reader = SharedPipe.CreateReader(ring);
        PipeWriter writer = SharedPipe.CreateWriter(Open());
        int count = RandomProgram.Steps(perSecond: 300_000);
        Task writing = Task.Run(() => WriteAsync(writer, count, ring.Capacity, new Random(seed + 1)));
        Task reading = Task.Run(() => ReadAsync(reader, count, ring.Capacity, new Random(seed + 2)));
        Task cancelling = Task.Run(() => CancelAsync(reader, writer, reading, new Random(seed + 3)));
        try
        {
            await Eventually.AllEnd([writing, reading, cancelling], "all bytes are read");
        }
        catch (Exception e)
        {
            throw new InvalidOperationException($"The program of seed {seed} failed: {e.Message}", e);
        }

        await reader.CompleteAsync();
    }

    /// <summary>The byte at each place, so that one that is missing or comes twice is seen.</summary>
    private static byte At(long place) => (byte)((place * 31) ^ (place >> 8));

    private static async Task WriteAsync(PipeWriter writer, int count, int capacity, Random random)
    {
        int written = 0;
        while (written < count)
        {
            int length = Math.Min(count - written, random.Next(4) == 0 ? random.Next(3 * capacity) : random.Next(100));
            if (random.Next(3) == 0)
            {
                byte[] bytes = new byte[length];
                Fill(bytes, written);
                await Flushes(token => writer.WriteAsync(bytes, token), random);
            }
            else
            {
                for (int left = length; left > 0;)
                {
                    Memory<byte> memory = writer.GetMemory(random.Next(left + 1));
                    int part = Math.Min(left, random.Next(memory.Length + 1));
                    Fill(memory.Span[..part], written + length - left);
                    writer.Advance(part);
                    left -= part;
                }
            }

            written += length;
            if (random.Next(2) == 0)
            {
                await Flushes(writer.FlushAsync, random);
            }
        }

        await writer.CompleteAsync();
    }

    private static async Task ReadAsync(PipeReader reader, int count, int capacity, Random random)
    {
        long consumed = 0;
        while (true)
        {
            ReadResult result;
            try
            {
                using CancellationTokenSource source = new();
                CancelSoon(source, random);
                result = random.Next(5) == 0
                    ? await reader.ReadAtLeastAsync(random.Next(3 * capacity), source.Token)
                    : reader.TryRead(out ReadResult found) ? found : await reader.ReadAsync(source.Token);
            }
            catch (OperationCanceledException)
            {
                continue;
            }

            ReadOnlySequence<byte> buffer = result.Buffer;
            Verify(buffer, consumed);
            if (result.IsCompleted && (consumed + buffer.Length == count) && random.Next(2) == 0)
            {
                reader.AdvanceTo(buffer.End);
                return;
            }

            long taken = random.Next(3) == 0 ? buffer.Length : random.NextInt64(buffer.Length + 1);
            long examined = random.Next(2) == 0 ? buffer.Length : taken + random.NextInt64(buffer.Length - taken + 1);
            reader.AdvanceTo(buffer.GetPosition(taken), buffer.GetPosition(examined));
            consumed += taken;
        }
    }

    private static async Task CancelAsync(PipeReader reader, PipeWriter writer, Task until, Random random)
    {
        while (!until.IsCompleted)
        {
            if (random.Next(2) == 0)
            {
                reader.CancelPendingRead();
            }
            else
            {
                writer.CancelPendingFlush();
            }

            await Task.Delay(random.Next(3));
        }
    }

    private static async Task Flushes(Func<CancellationToken, ValueTask<FlushResult>> flush, Random random)
    {
        using CancellationTokenSource source = new();
        try
        {
            // The token is cancelled only after the call began: a write with one that was cancelled before writes nothing.
            ValueTask<FlushResult> flushing = flush(source.Token);
            CancelSoon(source, random);
            Assert.False((await flushing).IsCompleted);
        }
        catch (OperationCanceledException)
        {
            // What was written stays written.
        }
    }

    private static void CancelSoon(CancellationTokenSource source, Random random)
    {
        if (random.Next(4) == 0)
        {
            source.CancelAfter(1 + random.Next(3));
        }
    }

    private static void Fill(Span<byte> bytes, long place)
    {
        for (int i = 0; i < bytes.Length; i++)
        {
            bytes[i] = At(place + i);
        }
    }

    private static void Verify(ReadOnlySequence<byte> bytes, long place)
    {
        foreach (ReadOnlyMemory<byte> segment in bytes)
        {
            for (int i = 0; i < segment.Length; i++)
            {
                if (segment.Span[i] != At(place + i))
                {
                    Assert.Fail($"The byte at {place + i} is {segment.Span[i]}, not {At(place + i)}.");
                }
            }

            place += segment.Length;
        }
    }
}

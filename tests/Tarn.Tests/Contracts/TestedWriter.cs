using System.Buffers;
using System.IO.Pipelines;
using Tarn.SharedMemory;

namespace Tarn.Tests.Contracts;

/// <summary>A buffer writer of one kind, with memory of its own.</summary>
internal sealed class TestedWriter : IDisposable
{
    private readonly List<IDisposable> _owned = [];

    private TestedWriter(IBufferWriter<byte> writer, Func<byte[]> contents, Func<long> inUse)
    {
        Writer = writer;
        Contents = contents;
        InUse = inUse;
    }

    internal static string[] Limited { get; } = ["pooled writer", "native writer", "stream", "native stream", "cleared stream"];

    internal static string[] All { get; } = [.. Limited, "sequence builder", "ring pipe"];

    internal IBufferWriter<byte> Writer { get; }

    /// <summary>What was written.</summary>
    internal Func<byte[]> Contents { get; }

    /// <summary>The bytes of memory that the writer has.</summary>
    internal Func<long> InUse { get; }

    public void Dispose() => _owned.ForEach(static one => one.Dispose());

    internal static TestedWriter Create(string kind, int maximum = int.MaxValue)
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.Returns });
        NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.Returns });
        PooledMemoryStreamOptions options = kind switch
        {
            "native stream" => new() { Heap = heap, MaxCapacity = maximum },
            "cleared stream" => new() { Pool = pool, MaxCapacity = maximum, Clearing = StreamClearing.OnReturn },
            _ => new() { Pool = pool, MaxCapacity = maximum },
        };
        TestedWriter tested = kind switch
        {
            "pooled writer" => Of(new PooledWriter<byte>(pool, maxCount: maximum), static one => one.WrittenSpan.ToArray(), pool, heap),
            "native writer" => Of(new PooledWriter<byte>(heap, maxCount: maximum), static one => one.WrittenSpan.ToArray(), pool, heap),
            "sequence builder" => Of(new SequenceBuilder<byte>(pool), static one => one.Sequence.ToArray(), pool, heap),
            "ring pipe" => OfRing(),
            _ => Of(new PooledMemoryStream(options), static one => one.ToArray(), pool, heap),
        };
        tested._owned.Add(heap);
        return tested;
    }

    private static TestedWriter Of<TWriter>(TWriter writer, Func<TWriter, byte[]> read, BufferPool<byte> pool, NativeHeap heap)
        where TWriter : IBufferWriter<byte>, IDisposable
    {
        TestedWriter tested = new(
            writer, () => read(writer), () => pool.GetStatistics().InUseBytes + heap.GetStatistics().InUseBytes);
        tested._owned.Add(writer);
        return tested;
    }

    private static TestedWriter OfRing()
    {
        string name = $"tests.{Guid.NewGuid():N}";
        PipeReader reader = SharedPipe.CreateReader(SharedRing.Create(name, 4096));
        PipeWriter writer = SharedPipe.CreateWriter(SharedRing.Open(name));
        TestedWriter tested = new(writer, () => Read(reader, writer), static () => 0);
        tested._owned.Add(new Ending(() => writer.Complete(new OperationCanceledException())));
        tested._owned.Add(new Ending(() => reader.Complete()));
        return tested;
    }

    private static byte[] Read(PipeReader reader, PipeWriter writer)
    {
        long count = writer.UnflushedBytes;
        Task<FlushResult> flush = writer.FlushAsync().AsTask();
        List<byte> read = [];
        while (read.Count < count)
        {
            ReadResult result = reader.ReadAsync().AsTask().GetAwaiter().GetResult();
            read.AddRange(result.Buffer.ToArray());
            reader.AdvanceTo(result.Buffer.End);
        }

        flush.GetAwaiter().GetResult();
        return [.. read];
    }

    private sealed class Ending(Action end) : IDisposable
    {
        public void Dispose() => end();
    }
}

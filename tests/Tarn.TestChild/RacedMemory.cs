using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>The memory of the streams of a race, theirs alone.</summary>
internal sealed class RacedMemory : IDisposable
{
    private const byte Pattern = 0xA5;

    private readonly PooledMemoryStreamOptions? _options;
    private readonly NativeHeap? _heap;
    private readonly BufferPool<byte>? _pool;

    private RacedMemory(string name, PooledMemoryStreamOptions? options, NativeHeap? heap, BufferPool<byte>? pool)
    {
        Name = name;
        _options = options;
        _heap = heap;
        _pool = pool;
    }

    internal static string[] Names { get; } =
    [
        "shared arrays", "arrays", "checked arrays", "arrays cleared on release", "arrays cleared later", "arrays of parallel copies",
        "native", "native that is given back", "native cleared on release", "native of parallel copies", "checked native", "buffer stream",
    ];

    internal string Name { get; }

    internal bool IsOfBufferStreams => _options is null;

    internal bool IsNative => _heap is not null;

    internal static RacedMemory Create(string name)
    {
        PooledMemoryStreamOptions options = new()
        {
            Clearing = name.EndsWith("on release", StringComparison.Ordinal) ? StreamClearing.OnReturn
                : name.EndsWith("later", StringComparison.Ordinal) ? StreamClearing.Background : StreamClearing.None,
            ParallelCopyThreshold = name.EndsWith("parallel copies", StringComparison.Ordinal) ? 1 : 0,
        };
        if (name == "shared arrays")
        {
            return new RacedMemory(name, new PooledMemoryStreamOptions(), null, null);
        }

        BufferChecks checks = name.StartsWith("checked", StringComparison.Ordinal) ? BufferChecks.Returns : BufferChecks.None;
        if (name.Contains("arrays", StringComparison.Ordinal))
        {
            BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = name, Checks = checks });
            return new RacedMemory(name, new PooledMemoryStreamOptions(options) { Pool = pool }, null, pool);
        }

        long? cap = name == "native that is given back" || name == "buffer stream" ? 0 : null;
        NativeHeap heap = new(new NativeHeapOptions { Name = name, Checks = checks, MaxRetainedBytes = cap ?? 1L << 30 });
        return new RacedMemory(name, name == "buffer stream" ? null : new PooledMemoryStreamOptions(options) { Heap = heap }, heap, null);
    }

    /// <summary>Creates a stream: empty, of one segment, or of several, some of them large.</summary>
    internal RacedStream CreateStream(RacedMember member, Random random)
    {
        int length = random.Next(3) switch { 0 => random.Next(4, 5000), 1 => random.Next(5000, 100_000), _ => 400_000 };
        if (_options is null)
        {
            NativeBuffer<byte> buffer = _heap!.AllocateBuffer<byte>(Math.Max(length, 200_000));
            return new RacedStream(buffer.AsStream(), buffer);
        }

        PooledMemoryStream stream = _options == new PooledMemoryStreamOptions() ? new() : new(_options);
        for (int pieces = random.Next(2) == 0 ? 1 : 7; !member.BeginsEmpty && stream.Length < length;)
        {
            stream.Write(new byte[(length / pieces) + 1]);
        }

        if (!member.BeginsEmpty)
        {
            stream.Position = random.Next(length);
        }

        return new RacedStream(member.IsOfView ? stream.OpenRead() : stream, stream);
    }

    /// <summary>Creates a stream that gets the memory of the last one, and fills it.</summary>
    internal PooledMemoryStream CreateNext()
    {
        PooledMemoryStream next = new(_options ?? new PooledMemoryStreamOptions { Heap = _heap });
        byte[] pattern = new byte[50_000];
        pattern.AsSpan().Fill(Pattern);
        for (int i = 0; i < 8; i++)
        {
            next.Write(pattern);
        }

        return next;
    }

    /// <summary>
    /// The position of a byte that the stream did not write; null when there is none. Arrays may have some: a hit that was in the middle
    /// of its copy writes on, as it would into an array of any pool.
    /// </summary>
    internal long? FindForeignByte(PooledMemoryStream next)
    {
        long position = 0;
        foreach (ReadOnlyMemory<byte> part in next.GetReadOnlySequence())
        {
            int foreign = part.Span.IndexOfAnyExcept(Pattern);
            if (foreign >= 0 && IsNative)
            {
                return position + foreign;
            }

            position += part.Length;
        }

        return null;
    }

    /// <summary>Returns idle memory to the system, so that nothing may touch it any more.</summary>
    internal void Trim()
    {
        if (Name is "native that is given back" or "buffer stream")
        {
            _heap!.Trim();
        }
    }

    /// <summary>Returns what is wrong with the memory after all races: some is still in use.</summary>
    internal string? FindLoss(int races)
    {
        SpinWait.SpinUntil(static () => BackgroundClearing.WaitingBytes == 0, TimeSpan.FromSeconds(60));
        long inUse = (_heap?.GetStatistics().InUseBytes ?? 0) + (_pool?.GetStatistics().InUseBytes ?? 0);
        _heap?.Validate();
        return inUse == 0 ? null : $"After {races} races on {Name}, {inUse} bytes are in use.";
    }

    /// <inheritdoc/>
    public void Dispose() => _heap?.Dispose();
}

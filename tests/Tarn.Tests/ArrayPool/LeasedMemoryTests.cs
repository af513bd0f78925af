using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.InteropServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

public sealed class LeasedMemoryTests
{
    private readonly BufferPool<byte> _pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(17)]
    [InlineData(1000)]
    public void Its_memory_is_exactly_as_long_as_asked(int length)
    {
        using IMemoryOwner<byte> owner = _pool.LeaseMemory(length);
        Assert.Equal(length, owner.Memory.Length);
        Assert.Equal(length, owner.Memory.Span.Length);
        Assert.True(MemoryMarshal.TryGetArray<byte>(owner.Memory, out ArraySegment<byte> segment));
        Assert.Equal((0, length), (segment.Offset, segment.Count));
        owner.Memory.Span.Fill(9);
        Assert.Equal(-1, segment.AsSpan().IndexOfAnyExcept((byte)9));
    }

    [Fact]
    public void A_second_dispose_is_harmless_when_the_buffer_is_someone_else_s_since()
    {
        IMemoryOwner<byte> first = _pool.LeaseMemory(100);
        byte[] array = ArrayOf(first);
        first.Dispose();
        IMemoryOwner<byte> second = _pool.LeaseMemory(100);
        Assert.Same(array, ArrayOf(second));
        Assert.NotSame(first, second);
        first.Dispose();
        Worker.RunOnce(first.Dispose);
        Assert.NotSame(array, _pool.Rent(100));
        second.Memory.Span.Fill(1);
        Assert.Equal(1, _pool.GetStatistics().Returned);
    }

    [Fact]
    public void Copies_kept_past_dispose_throw_when_touched()
    {
        IMemoryOwner<byte> owner = _pool.LeaseMemory(100);
        Memory<byte> copy = owner.Memory;
        Memory<byte> slice = copy.Slice(10, 20);
        ReadOnlyMemory<byte> readOnly = copy;
        owner.Dispose();
        Assert.Throws<ObjectDisposedException>(() => owner.Memory);
        Assert.Throws<ObjectDisposedException>(() => copy.Span.Length);
        Assert.Throws<ObjectDisposedException>(() => slice.Span.Length);
        Assert.Throws<ObjectDisposedException>(() => readOnly.Span.Length);
        Assert.Throws<ObjectDisposedException>(() => copy.Pin());
        Assert.Throws<ObjectDisposedException>(() => MemoryMarshal.TryGetArray(readOnly, out _));
        Assert.Throws<ObjectDisposedException>(() => copy.ToArray());
    }

    [Fact]
    public void Many_threads_that_dispose_at_once_return_the_buffer_once()
    {
        for (int round = 0; round < 200; round++)
        {
            IMemoryOwner<byte> owner = _pool.LeaseMemory(100);
            Parallel.For(0, 8, new ParallelOptions { MaxDegreeOfParallelism = 8 }, _ => owner.Dispose());
        }

        Assert.Equal(200, _pool.GetStatistics().Returned);
        Assert.Equal(0, _pool.GetStatistics().InUseBytes);
    }

    [Fact]
    public void Of_two_threads_that_dispose_at_once_one_gives_the_buffer_back_to_the_shared_pool()
    {
        const int Rounds = 20_000;
        BufferPool<Raced> pool = BufferPool<Raced>.Shared;
        IMemoryOwner<Raced>? current = null;
        Thread other = new(() =>
        {
            for (IMemoryOwner<Raced>? seen = null; seen is not LastOwner; seen = Volatile.Read(ref current))
            {
                seen?.Dispose();
            }
        });
        other.Start();
        for (int round = 0; round < Rounds; round++)
        {
            IMemoryOwner<Raced> owner = pool.LeaseMemory(100);
            Volatile.Write(ref current, owner);
            owner.Dispose();
            IMemoryOwner<Raced> next = pool.LeaseMemory(100);
            owner.Dispose();
            Raced[] array = ArrayOf(next);
            Assert.NotSame(array, pool.Rent(100));
            next.Dispose();
        }

        Volatile.Write(ref current, new LastOwner());
        other.Join();
        Assert.Equal(3 * Rounds, pool.GetStatistics().Rented);
        Assert.Equal(2 * Rounds, pool.GetStatistics().Returned);
    }

    [Fact]
    public void A_lease_of_the_shared_pool_ends_once_on_whatever_thread()
    {
        BufferPool<Shared> pool = BufferPool<Shared>.Shared;
        for (int round = 0; round < 10; round++)
        {
            IMemoryOwner<Shared> owner = pool.LeaseMemory(100);
            Memory<Shared> copy = owner.Memory;
            Assert.Equal(100, copy.Span.Length);
            Worker.RunOnce(owner.Dispose);
            owner.Dispose();
            Assert.Throws<ObjectDisposedException>(() => owner.Memory);
            Assert.Throws<ObjectDisposedException>(() => copy.Span.Length);
            Assert.Equal(round + 1, pool.GetStatistics().Returned);
        }
    }

    [Fact]
    public void Of_two_leases_on_a_thread_each_gives_back_its_own_buffer()
    {
        for (int round = 0; round < 10; round++)
        {
            IMemoryOwner<byte> first = _pool.LeaseMemory(100);
            IMemoryOwner<byte> second = _pool.LeaseMemory(100);
            IMemoryOwner<byte> ofOtherLength = _pool.LeaseMemory(5000);
            Assert.NotSame(ArrayOf(first), ArrayOf(second));
            first.Dispose();
            ofOtherLength.Dispose();
            second.Dispose();
            Assert.Equal(0, _pool.GetStatistics().InUseBytes);
        }
    }

    [Fact]
    public void A_lease_of_the_shared_pool_allocates_32_bytes()
    {
        BufferPool<Shared> pool = BufferPool<Shared>.Shared;
        for (int use = 0; use < 10; use++)
        {
            pool.LeaseMemory(200).Dispose();
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        pool.LeaseMemory(200).Dispose();
        Assert.Equal(32, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public unsafe void Disposed_while_pinned_it_goes_back_at_the_last_unpin()
    {
        IMemoryOwner<byte> owner = _pool.LeaseMemory(100);
        byte[] array = ArrayOf(owner);
        MemoryHandle first = owner.Memory.Pin();
        MemoryHandle second = owner.Memory[50..].Pin();
        Assert.Equal((nint)first.Pointer + 50, (nint)second.Pointer);
        owner.Dispose();
        Assert.Equal(0, _pool.GetStatistics().Returned);
        first.Dispose();
        first.Dispose();
        Assert.Equal(0, _pool.GetStatistics().Returned);
        Assert.NotSame(array, _pool.Rent(100));
        second.Dispose();
        Assert.Equal(1, _pool.GetStatistics().Returned);
        Assert.Same(array, _pool.Rent(100));
    }

    [Fact]
    public unsafe void Pinned_and_unpinned_it_stays_leased()
    {
        using IMemoryOwner<byte> owner = _pool.LeaseMemory(100);
        owner.Memory.Pin().Dispose();
        using (MemoryHandle handle = owner.Memory.Pin())
        {
            ((byte*)handle.Pointer)[99] = 42;
        }

        Assert.Equal(42, owner.Memory.Span[99]);
        Assert.Equal(0, _pool.GetStatistics().Returned);
    }

    [Fact]
    public void A_pin_outside_the_buffer_is_refused()
    {
        using IMemoryOwner<byte> owner = _pool.LeaseMemory(100);
        MemoryManager<byte> manager = Assert.IsType<MemoryManager<byte>>(owner, exactMatch: false);
        Assert.Equal("elementIndex", Assert.Throws<ArgumentOutOfRangeException>(() => manager.Pin(101)).ParamName);
        Assert.Equal("elementIndex", Assert.Throws<ArgumentOutOfRangeException>(() => manager.Pin(-1)).ParamName);
        manager.Pin(100).Dispose();
    }

    [Fact]
    public void Buffers_of_references_cannot_be_pinned_and_are_not_lost_by_trying()
    {
        BufferPool<string> pool = BufferPool<string>.Create();
        IMemoryOwner<string> owner = pool.LeaseMemory(10);
        Assert.Throws<ArgumentException>(() => owner.Memory.Pin());
        owner.Dispose();
        Assert.Equal(1, pool.GetStatistics().Returned);
    }

    [Fact]
    public void It_travels_across_awaits_and_threads()
    {
        IMemoryOwner<byte> owner = _pool.LeaseMemory(100);
        Worker.RunOnce(() => owner.Memory.Span.Fill(5));
        Assert.Equal(5, owner.Memory.Span[99]);
        Worker.RunOnce(owner.Dispose);
        Assert.Equal(0, _pool.GetStatistics().InUseBytes);
    }

    [Fact]
    public void The_memory_pool_is_one_object_and_returns_the_requested_or_a_default_length()
    {
        MemoryPool<byte> memory = _pool.AsMemoryPool();
        Assert.Same(memory, _pool.AsMemoryPool());
        memory.Dispose();
        using IMemoryOwner<byte> byDefault = memory.Rent();
        Assert.True(byDefault.Memory.Length >= 4096);
        using IMemoryOwner<byte> asked = memory.Rent(10_000);
        Assert.InRange(asked.Memory.Length, 10_000, 12_500);
        using IMemoryOwner<byte> none = memory.Rent(0);
        Assert.True(memory.MaxBufferSize >= 1 << 30);
    }

    [Fact]
    public async Task A_pipe_over_the_pool_moves_bytes_and_gives_every_buffer_back()
    {
        byte[] sent = new byte[1_000_000];
        new Random(5).NextBytes(sent);
        Pipe pipe = new(new PipeOptions(_pool.AsMemoryPool(), minimumSegmentSize: 3000));
        Task writing = Task.Run(async () =>
        {
            foreach (byte[] part in sent.Chunk(7777))
            {
                await pipe.Writer.WriteAsync(part);
            }

            await pipe.Writer.CompleteAsync();
        });
        ArrayBufferWriter<byte> received = new();
        while (true)
        {
            ReadResult read = await pipe.Reader.ReadAsync();
            foreach (ReadOnlyMemory<byte> part in read.Buffer)
            {
                received.Write(part.Span);
            }

            pipe.Reader.AdvanceTo(read.Buffer.End);
            if (read.IsCompleted)
            {
                break;
            }
        }

        await pipe.Reader.CompleteAsync();
        await writing;
        Assert.True(received.WrittenSpan.SequenceEqual(sent));
        Assert.True(_pool.GetStatistics().Rented > 0);
        Assert.Equal(0, _pool.GetStatistics().InUseBytes);
    }

    private static T[] ArrayOf<T>(IMemoryOwner<T> owner) =>
        MemoryMarshal.TryGetArray<T>(owner.Memory, out ArraySegment<T> segment) ? segment.Array! : [];

    /// <summary>Elements of a shared pool that no other test uses.</summary>
    private readonly record struct Raced(byte Value);

    /// <inheritdoc cref="Raced"/>
    private readonly record struct Shared(byte Value);

    private sealed class LastOwner : IMemoryOwner<Raced>
    {
        public Memory<Raced> Memory => default;

        public void Dispose()
        {
        }
    }
}

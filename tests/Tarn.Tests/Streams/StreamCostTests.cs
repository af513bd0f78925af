using System.Reflection;
using Tarn.Tests.Support;

namespace Tarn.Tests.Streams;

/// <summary>The cost of a stream besides the memory for its contents.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class StreamCostTests
{
    private const int LargestObject = 136;

    private readonly BufferPool<byte> _pool =
        BufferPool<byte>.Create(
            new BufferPoolOptions { Checks = BufferChecks.None, MaxRetainedBytes = 1L << 30, IdleTimeout = Timeout.InfiniteTimeSpan });

    [Fact]
    public void The_object_is_small_and_has_no_finalizer()
    {
        PooledMemoryStreamOptions options = new() { Pool = _pool };
        new PooledMemoryStream(options).Dispose();
        long before = GC.GetAllocatedBytesForCurrentThread();
        PooledMemoryStream stream = new(options);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 1, LargestObject);
        stream.Dispose();
        foreach (Type type in (Type[])[typeof(PooledMemoryStream), typeof(DetachedBytes), typeof(SegmentTable), typeof(PooledStreamView)])
        {
            MethodInfo? finalizer = type.GetMethod("Finalize", BindingFlags.Instance | BindingFlags.NonPublic, []);
            Assert.Equal(typeof(object), finalizer?.DeclaringType);
        }
    }

    [Fact]
    public void Small_streams_allocate_only_the_object_once_warm()
    {
        PooledMemoryStreamOptions options = new() { Pool = _pool };
        byte[] bytes = Contents.Of(100);
        Work(100);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Work(1000);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 1000, 1000 * LargestObject);

        void Work(int count)
        {
            for (int i = 0; i < count; i++)
            {
                using PooledMemoryStream stream = new(options);
                for (int j = 0; j < 40; j++)
                {
                    stream.Write(bytes);
                }

                stream.Position = 0;
                if (stream.ReadByte() != bytes[0])
                {
                    Assert.Fail("Something else was read.");
                }
            }
        }
    }

    [Fact]
    public void A_small_native_stream_allocates_only_the_object()
    {
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None });
        PooledMemoryStreamOptions options = new() { Heap = heap };
        byte[] bytes = Contents.Of(4000);
        Work(100);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Work(1000);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 1000, 1000 * LargestObject);

        void Work(int count)
        {
            for (int i = 0; i < count; i++)
            {
                using PooledMemoryStream stream = new(options, i % 2 * 1000L);
                stream.Write(bytes.AsSpan(0, 900));
                stream.Position = 0;
                if (stream.ReadByte() != bytes[0])
                {
                    Assert.Fail("Something else was read.");
                }
            }
        }
    }

    [Fact]
    public void A_long_stream_allocates_little_besides_its_arrays_and_those_are_reused()
    {
        PooledMemoryStreamOptions options = new() { Pool = _pool };
        byte[] bytes = new byte[1 << 20];
        Work();
        long allocated = _pool.GetStatistics().Allocated;
        long before = GC.GetAllocatedBytesForCurrentThread();
        Work();
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 1, 8 << 10);
        Assert.Equal(allocated, _pool.GetStatistics().Allocated);

        void Work()
        {
            using PooledMemoryStream stream = new(options);
            for (int i = 0; i < 200; i++)
            {
                stream.Write(bytes);
            }
        }
    }
}

using System.Runtime.Intrinsics;
using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// xmalloc-test: as many threads that only allocate as threads that only free, with batches of 4,096 objects of 64 bytes passing from the
/// ones to the others. An operation is an object freed by a consumer.
/// </summary>
internal sealed unsafe class XmallocTest<TAllocator> : NativeWorkload
    where TAllocator : struct, INativeAllocator
{
    private const int ObjectBytes = 64;
    private const int MostBatches = 100;
    private const double Seconds = 5;

    private readonly TAllocator _allocator;
    private readonly TimeSpan _duration;
    private readonly int _pairs;
    private readonly BatchStack _batches;
    private readonly long[] _freed;
    private readonly WorkerThreads _threads = new();
    private volatile bool _isOver;

    public XmallocTest(TAllocator allocator, WorkloadSettings settings)
    {
        _allocator = allocator;
        _duration = settings.Duration(Seconds);
        _pairs = settings.Threads;
        _batches = new BatchStack(settings.Live(MostBatches));
        _freed = new long[_pairs];
    }

    public override long Work()
    {
        Thread[] threads =
        [
            .. Enumerable.Range(0, _pairs).Select(index => _threads.Start(Produce, index)),
            .. Enumerable.Range(0, _pairs).Select(index => _threads.Start(Consume, index)),
        ];
        Thread.Sleep(_duration);
        _isOver = true;
        _batches.Stop();
        foreach (Thread thread in threads)
        {
            thread.Join();
        }

        _threads.ThrowIfFailed();
        return _freed.Sum();
    }

    public override void Clear()
    {
        for (Batch* batch = _batches.Pop(); batch is not null; batch = _batches.Pop())
        {
            Free(batch);
        }
    }

    private void Produce(int index)
    {
        while (!_isOver)
        {
            Batch* batch = CreateBatch();
            if (!_batches.TryPush(batch))
            {
                Free(batch);
            }
        }
    }

    private void Consume(int index)
    {
        long freed = 0;
        while (!_isOver)
        {
            Batch* batch = _batches.Pop();
            if (batch is null)
            {
                break;
            }

            Free(batch);
            freed += Batch.Capacity;
        }

        _freed[index] = freed;
    }

    private Batch* CreateBatch()
    {
        TAllocator allocator = _allocator;
        Batch* batch = (Batch*)allocator.Allocate((nuint)sizeof(Batch));
        for (int item = 0; item < Batch.Capacity; item++)
        {
            void* block = allocator.Allocate(ObjectBytes);
            // C compilers write out a memset of 64 bytes; the runtime would call the C library's.
            Vector512.Create((byte)item).Store((byte*)block);
            batch->Objects[item] = (ulong)block;
        }

        return batch;
    }

    private void Free(Batch* batch)
    {
        TAllocator allocator = _allocator;
        for (int item = 0; item < Batch.Capacity; item++)
        {
            allocator.Free((void*)batch->Objects[item], ObjectBytes);
        }

        allocator.Free(batch, (nuint)sizeof(Batch));
    }
}

using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// Message passing: half of the threads only allocate and the others only free, as in a server whose readers hand requests to its workers.
/// At most a thousand messages are on their way between any two of them; a producer that finds no room waits. Contents and order
/// are verified. An operation is a message.
/// </summary>
internal sealed unsafe class MessagePassing<TAllocator> : NativeWorkload
    where TAllocator : struct, INativeAllocator
{
    private const double Messages = 30_000_000;
    private const int InFlight = 1_024;
    private const ulong Seed = 7;

    private readonly TAllocator _allocator;
    private readonly int _producers;
    private readonly int _consumers;
    private readonly long _messagesPerRing;
    private readonly ulong _seed;
    private readonly BlockRing[] _rings;
    private readonly long[] _received;
    private readonly WorkerThreads _threads = new();

    public MessagePassing(TAllocator allocator, WorkloadSettings settings)
    {
        _allocator = allocator;
        _consumers = Math.Max(1, settings.Threads / 2);
        _producers = Math.Max(1, settings.Threads - _consumers);
        _messagesPerRing = Math.Max(1, settings.Times(Messages) / (_producers * _consumers));
        _seed = Seed + (ulong)(uint)settings.Seed;
        int inFlight = settings.Live(InFlight, atLeast: 2);
        _rings = [.. Enumerable.Range(0, _producers * _consumers).Select(_ => new BlockRing(inFlight))];
        _received = new long[_consumers];
    }

    public override long Work()
    {
        _threads.Run(_producers + _consumers, Live);
        return _received.Sum();
    }

    private void Live(int index)
    {
        if (index < _producers)
        {
            Produce(index);
        }
        else
        {
            Consume(index - _producers);
        }
    }

    private void Produce(int producer)
    {
        TAllocator allocator = _allocator;
        var random = new XorShiftGenerator(_seed + (ulong)producer);
        for (long number = 0; number < _messagesPerRing; number++)
        {
            for (int consumer = 0; consumer < _consumers; consumer++)
            {
                int size = Message.DrawSize(random.Next());
                Message* message = (Message*)allocator.Allocate((nuint)size);
                Message.Write(message, number, size);
                BlockRing ring = _rings[(producer * _consumers) + consumer];
                if (!ring.TryPush(message) && !ring.WaitAndPush(message, _threads))
                {
                    allocator.Free(message, (nuint)size);
                    return;
                }
            }
        }
    }

    private void Consume(int consumer)
    {
        var next = new long[_producers];
        long wanted = _messagesPerRing * _producers;
        long received = 0;
        SpinWait wait = default;
        while (received < wanted && !_threads.HasFailed)
        {
            long before = received;
            for (int producer = 0; producer < _producers; producer++)
            {
                received += Receive(_rings[(producer * _consumers) + consumer], ref next[producer]);
            }

            if (received == before)
            {
                wait.SpinOnce(sleep1Threshold: -1);
            }
            else
            {
                wait.Reset();
            }
        }

        _received[consumer] = received;
    }

    /// <summary>Frees everything that has arrived from one producer and returns how many messages that were.</summary>
    private long Receive(BlockRing ring, ref long next)
    {
        TAllocator allocator = _allocator;
        long first = next;
        for (Message* message = (Message*)ring.TryPop(); message is not null; message = (Message*)ring.TryPop())
        {
            allocator.Free(message, Message.Verify(message, next++));
        }

        return next - first;
    }
}

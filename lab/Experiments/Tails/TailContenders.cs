using System.IO.Pipes;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Calls;
using Tarn.Lab.Workloads.Messages;
using Tarn.Lab.Workloads.Streams;
using Tarn.SharedMemory;

namespace Tarn.Lab.Experiments.Tails;

/// <summary>The calls that are timed: ours, each beside a peer, and none at all.</summary>
internal sealed class TailContenders : IDisposable
{
    public const string Timer = "timer alone";

    /// <summary>What the names of ours with a cap, a short idle timeout and trims end with.</summary>
    public const string Disturbed = ", cap and trims";

    /// <summary>The time that a buffer may be idle then.</summary>
    public static readonly TimeSpan IdleTimeout = TimeSpan.FromMilliseconds(80);

    /// <summary>
    /// The cap of the pool then, for each thread: four times what the load has in use. With much less, every hundredth rent allocates, and
    /// the times are those of the collector.
    /// </summary>
    public const int PoolCapOfThread = 768 << 10;

    /// <summary>The cap of the heap, which counts slabs whole.</summary>
    public const int HeapCapOfThread = 4 << 20;

    public const int StreamBytes = 4 << 10;
    public const int MessageBytes = 64;
    private const int RingBytes = 64 << 10;

    private readonly List<IDisposable> _owned = [];
    private readonly int _threads;
    private readonly Random _random;

    /// <param name="threads">The size of the crew.</param>
    /// <param name="random">Draws lengths and places.</param>
    public TailContenders(int threads, Random random)
    {
        _threads = threads;
        _random = random;
        All = [CreateNothing(), .. CreateArrays(), .. CreateBlocks(), .. CreateStreams(), .. CreateMessages()];
    }

    /// <summary>The timer alone, then each of ours with its peers behind it.</summary>
    public IReadOnlyList<CallsTrial> All { get; }

    public void Dispose()
    {
        // Backwards: blocks go before their heap.
        foreach (IDisposable one in Enumerable.Reverse(_owned))
        {
            one.Dispose();
        }
    }

    private WorkCalls<EmptyWork> CreateNothing() => new(Timer, CallKinds.None, new EmptyWork[_threads], _threads);

    private IEnumerable<CallsTrial> CreateArrays()
    {
        CallProgram[] programs = CreatePrograms();
        BufferPool<byte> disturbed = CreateDisturbedPool();
        yield return new ArrayCalls<TarnInstance>(PoolNames.TarnInstance, new(BufferPool<byte>.Create()), programs);
        yield return new ArrayCalls<TarnInstance>(PoolNames.TarnInstance + Disturbed, new(disturbed), programs, () => disturbed.Trim());
        yield return new ArrayCalls<BclShared>(PoolNames.BclShared, default, programs);
    }

    private IEnumerable<CallsTrial> CreateBlocks()
    {
        CallProgram[] programs = CreatePrograms();
        var disturbed = new NativeHeap(new NativeHeapOptions { IdleTimeout = IdleTimeout, MaxRetainedBytes = _threads * HeapCapOfThread });
        _owned.Add(disturbed);
        yield return Of(NativeNames.TarnHeap, default(TarnHeap));
        yield return Of(NativeNames.TarnHeapInstance + Disturbed, new TarnHeapInstance(disturbed), () => disturbed.Trim());
        if (NativePeers.Mimalloc.IsPresent)
        {
            yield return Of(NativeNames.Mimalloc, default(Mimalloc));
        }

        yield return Of(NativeNames.NativeMemory, default(NativeMemoryAllocator));

        BlockCalls<TAllocator> Of<TAllocator>(string name, TAllocator allocator, Action? disturb = null)
            where TAllocator : struct, INativeAllocator
        {
            var calls = new BlockCalls<TAllocator>(name, allocator, programs, disturb);
            _owned.Add(calls);
            return calls;
        }
    }

    private IEnumerable<CallsTrial> CreateStreams()
    {
        BufferPool<byte> disturbed = CreateDisturbedPool();
        var ofDisturbed = new TarnStreamWith(new PooledMemoryStreamOptions { Pool = disturbed });
        yield return Of(StreamNames.Tarn, default(TarnStream));
        yield return Of(StreamNames.Tarn + Disturbed, ofDisturbed, () => disturbed.Trim());
        yield return Of(StreamNames.Recyclable, new RecyclableStream(RecyclableManagers.Plain));

        WorkCalls<OneStream<TMaker>> Of<TMaker>(string name, TMaker maker, Action? disturb = null)
            where TMaker : struct, IStreamMaker =>
            new(name, CallKinds.Stream, OnEachThread(() => new OneStream<TMaker>(maker, StreamBytes)), _threads, disturb);
    }

    private IEnumerable<CallsTrial> CreateMessages()
    {
        yield return new WorkCalls<RingPair>(MessageNames.Ring, CallKinds.Message, OnEachThread(CreateRing), _threads);
        yield return new WorkCalls<PipePair>(MessageNames.Pipe, CallKinds.Message, OnEachThread(CreatePipe), _threads);
    }

    private RingPair CreateRing()
    {
        SharedRing ring = SharedRing.Create($"tarn-lab-{Guid.NewGuid():N}", RingBytes);
        _owned.Add(ring);
        return new RingPair(ring, new byte[MessageBytes]);
    }

    private PipePair CreatePipe()
    {
        var writer = new AnonymousPipeServerStream(PipeDirection.Out);
        var reader = new AnonymousPipeClientStream(PipeDirection.In, writer.ClientSafePipeHandle);
        _owned.AddRange([writer, reader]);
        return new PipePair(writer, reader, new byte[MessageBytes]);
    }

    private BufferPool<byte> CreateDisturbedPool() => BufferPool<byte>.Create(
        new BufferPoolOptions { Name = "lab tails", IdleTimeout = IdleTimeout, MaxRetainedBytes = _threads * PoolCapOfThread });

    private CallProgram[] CreatePrograms() => [.. OnEachThread(() => new CallProgram(_random))];

    private IEnumerable<T> OnEachThread<T>(Func<T> create) => Enumerable.Range(0, _threads).Select(_ => create());
}

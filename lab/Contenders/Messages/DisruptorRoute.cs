using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Disruptor;
using Disruptor.Dsl;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>
/// A ring of Disruptor-net for processes. Its messages are structs of one type, so there is one for each length; each comes to all
/// handlers, which are in one process.
/// </summary>
internal static class DisruptorRoute
{
    public static bool CanCarry(MessageTraffic traffic) =>
        traffic.Length is 16 or 64 or (1 << 10) or (64 << 10) or (4 << 20) && (traffic.IsTopic || traffic.Readers == 1);

    /// <exception cref="InvalidDataException">There is no type of that length.</exception>
    public static MessageRoute Create(MessageTraffic traffic) => traffic.Length switch
    {
        16 => new DisruptorRoute<Bytes16>(traffic),
        64 => new DisruptorRoute<Bytes64>(traffic),
        1 << 10 => new DisruptorRoute<Kibibyte>(traffic),
        64 << 10 => new DisruptorRoute<Kibibytes64>(traffic),
        4 << 20 => new DisruptorRoute<Mebibytes4>(traffic),
        _ => throw Unknown(traffic),
    };

    /// <inheritdoc cref="Create"/>
    public static MessageEnds OpenEnds(string address, MessageTraffic traffic) => traffic.Length switch
    {
        16 => DisruptorRoute<Bytes16>.OpenEnds(address, traffic),
        64 => DisruptorRoute<Bytes64>.OpenEnds(address, traffic),
        1 << 10 => DisruptorRoute<Kibibyte>.OpenEnds(address, traffic),
        64 << 10 => DisruptorRoute<Kibibytes64>.OpenEnds(address, traffic),
        4 << 20 => DisruptorRoute<Mebibytes4>.OpenEnds(address, traffic),
        _ => throw Unknown(traffic),
    };

    private static InvalidDataException Unknown(MessageTraffic traffic) => new($"The lab has no struct of {traffic.Length} bytes.");

    [StructLayout(LayoutKind.Sequential, Size = 16)]
    private readonly struct Bytes16;

    [StructLayout(LayoutKind.Sequential, Size = 64)]
    private readonly struct Bytes64;

    [StructLayout(LayoutKind.Sequential, Size = 1 << 10)]
    private readonly struct Kibibyte;

    [StructLayout(LayoutKind.Sequential, Size = 64 << 10)]
    private readonly struct Kibibytes64;

    [StructLayout(LayoutKind.Sequential, Size = 4 << 20)]
    private readonly struct Mebibytes4;
}

/// <summary>The same with messages of one type.</summary>
internal sealed class DisruptorRoute<T> : MessageRoute
    where T : unmanaged
{
    private const string InMemory = "/dev/shm";

    private readonly IpcDisruptor<T> _disruptor;
    private readonly DisruptorReader<T>[] _readers;

    public DisruptorRoute(MessageTraffic traffic)
        : base(MessageNames.Disruptor, traffic)
    {
        Address = Path.Combine(Directory.Exists(InMemory) ? InMemory : Path.GetTempPath(), UniqueName());
        var memory = IpcRingBufferMemory.Create<T>(
            Address, (int)BitOperations.RoundUpToPowerOf2((uint)traffic.Messages), autoDeleteDirectory: true);
        _disruptor = new IpcDisruptor<T>(memory, new YieldingWaitStrategy(), ownsMemory: true);
        _readers = [.. Enumerable.Range(0, traffic.Readers).Select(_ => new DisruptorReader<T>(isAlone: traffic.Readers == 1))];
        _disruptor.HandleEventsWith(_readers);
        _ = _disruptor.Start();
    }

    public override string Address { get; }

    public override MessageEnds Connect() => new([], _readers);

    public static MessageEnds OpenEnds(string address, MessageTraffic traffic) => new(
        [
            .. Enumerable.Range(0, traffic.Writers).Select(_ => new IpcPublisher<T>(address)).Select(
                static publisher => new MessageWriter<DisruptorSender<T>>(new(publisher), publisher)),
        ],
        []);

    public override void Dispose()
    {
        Array.ForEach(_readers, static reader => reader.Dispose());
        _disruptor.Dispose();
    }
}

/// <summary>The program writes the message in the ring. Where it is full, the ring waits by spinning.</summary>
internal readonly struct DisruptorSender<T>(IpcPublisher<T> publisher) : IMessageSender
    where T : unmanaged
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Send<TContents>(int length, ref TContents contents)
        where TContents : struct, IMessageContents
    {
        using IpcPublisher<T>.UnpublishedEventScope scope = publisher.PublishEvent();
        contents.Write(MemoryMarshal.CreateSpan(ref Unsafe.As<T, byte>(ref scope.Event()), length));
    }
}

/// <summary>
/// The ring calls the program with each message, on a thread of its own. That thread sleeps while nothing is to be read: otherwise it would
/// take its processor from the contenders whose turn it is.
/// </summary>
/// <param name="isAlone">Whether it is the only reader, and so stays on the processor of the reader.</param>
internal sealed class DisruptorReader<T>(bool isAlone) : MessageReader([]), IValueEventHandler<T>
    where T : unmanaged
{
    private readonly SemaphoreSlim _begun = new(0);
    private readonly SemaphoreSlim _ended = new(0);
    private Work? _work;
    private bool _isDisposed;

    public override void Read<TCheck>(ref TCheck check)
    {
        Work<TCheck> work = new(check);
        _work = work;
        _begun.Release();
        _ended.Wait();
        check = work.Failure is null ? work.Check : throw new InvalidDataException(work.Failure.Message, work.Failure);
    }

    public void OnStart()
    {
        if (isAlone)
        {
            ThreadPlacement.Pin(MessageTraffic.ReaderProcessor);
        }

        _begun.Wait();
    }

    public void OnEvent(ref T data, long sequence, bool endOfBatch)
    {
        if (_isDisposed || !_work!.Take(MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<T, byte>(ref data), Unsafe.SizeOf<T>())))
        {
            return;
        }

        _ended.Release();
        _begun.Wait();
    }

    public override void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            _begun.Release();
        }

        base.Dispose();
    }

    private abstract class Work
    {
        public Exception? Failure { get; protected set; }

        /// <summary>True if it was the last one.</summary>
        public abstract bool Take(ReadOnlySpan<byte> message);
    }

    private sealed class Work<TCheck>(TCheck check) : Work
        where TCheck : struct, IMessageCheck
    {
        private TCheck _check = check;

        public TCheck Check => _check;

        public override bool Take(ReadOnlySpan<byte> message)
        {
            try
            {
                ref TCheck check = ref _check;
                check.Take(message);
                check.Passed();
                return check.Left == 0;
            }
            catch (InvalidDataException failure)
            {
                Failure = failure;
                return true;
            }
        }
    }
}

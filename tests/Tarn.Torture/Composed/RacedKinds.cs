using System.Buffers;
using System.IO.Pipelines;
using Tarn.SharedMemory;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed;

/// <summary>Members of every kind of owner that race with its disposal.</summary>
internal static class RacedKinds
{
    private static readonly byte[] s_bytes = new byte[700];

    private static int s_rings;

    internal static IReadOnlyList<RacedKind> All { get; } =
    [
        .. Writers("PooledWriter", static company => new PooledWriter<byte>(company.Pool)),
        .. Writers("PooledWriter of a heap", static company => new PooledWriter<byte>(company.Heap)),
        .. Writers(
            "PooledWriter with a budget",
            static company => new PooledWriter<byte>(company.Plain, budget: company.Budget)),
        .. Writers(
            "PooledWriter of a heap with a budget",
            static company => new PooledWriter<byte>(company.PlainHeap, budget: company.Budget)),
        .. Builders("SequenceBuilder", static company => new SequenceBuilder<byte>(company.Pool)),
        .. Builders("SequenceBuilder with a budget", static company => new SequenceBuilder<byte>(company.Plain, company.Budget)),
        .. Streams("PooledMemoryStream", static company => new() { Pool = company.Plain, Budget = company.Budget }),
        .. Streams("PooledMemoryStream of a heap", static company => new() { Heap = company.Heap }),
        .. Leases("LeaseMemory", static company => company.Pool.LeaseMemory(900)),
        .. Leases("LeaseMemory of a budget", static company => company.Budget.LeaseMemory(company.Plain, 900)),
        .. Leases("a memory pool's Rent", static company => company.Pool.AsMemoryPool().Rent(900), canPin: false),
        .. Leases("NativeBuffer", static company => company.Heap.AllocateBuffer<byte>(900)),
        new RacedKind("NativeBuffer.TryResize", static company =>
        {
            NativeBuffer<byte> buffer = company.Heap.AllocateBuffer<byte>(900);
            int length = 0;
            return new RacedOwner(() => buffer.TryResize(900 + (length++ % 50 * 100)), buffer.Dispose);
        }),
        new RacedKind("OwnedSequence.Slice", static company =>
        {
            SequenceBuilder<byte> builder = new(company.Pool);
            builder.Write(s_bytes);
            OwnedSequence<byte> sequence = builder.Detach();
            builder.Dispose();
            return new RacedOwner(() => sequence.Slice(3, 90).Dispose(), sequence.Dispose);
        }),
        new RacedKind("OwnedSequence.Slice with a budget", static company =>
        {
            SequenceBuilder<byte> builder = new(company.Plain, company.Budget);
            builder.Write(s_bytes);
            OwnedSequence<byte> sequence = builder.Detach();
            builder.Dispose();
            return new RacedOwner(() => sequence.Slice(3, 90).Dispose(), sequence.Dispose);
        }),
        new RacedKind("SharedPipe's reader", static _ => Pipe(static pipe => Read(pipe.Input), static pipe => pipe.Dispose())),
        new RacedKind("SharedPipe's reader beside its Complete", static _ =>
            Pipe(static pipe => Read(pipe.Input), static pipe => pipe.Input.Complete()), EndsByItself: true),
        new RacedKind("SharedPipe's stream, Write", static _ => Stream(static stream => stream.Write(s_bytes)), Waits: true),
        new RacedKind("SharedPipe's stream, ReadAsync", static _ =>
            Stream(static stream => stream.ReadAsync(new byte[9]).AsTask().GetAwaiter().GetResult()), EndsByItself: true, Waits: true),
    ];

    private static IEnumerable<RacedKind> Builders(string name, Func<RaceCompany, SequenceBuilder<byte>> create)
    {
        (string Name, Action<SequenceBuilder<byte>, RaceCompany> Call)[] calls =
        [
            ("Write", static (builder, _) => builder.Write(s_bytes)),
            ("GetMemory", static (builder, _) => builder.GetMemory(builder.GetHashCode() % 2 == 0 ? 400 : 4_000)),
            ("Append", static (builder, company) =>
            {
                IMemoryOwner<byte> owner = company.Pool.LeaseMemory(90);
                try
                {
                    builder.Append(owner);
                }
                catch (ObjectDisposedException)
                {
                    owner.Dispose();
                    throw;
                }
            }),
            ("AppendReference", static (builder, _) => builder.AppendReference(s_bytes)),
            ("Write and Clear", static (builder, _) =>
            {
                builder.Write(s_bytes);
                builder.Clear();
            }),
            ("Write and Detach", static (builder, _) =>
            {
                builder.Write(s_bytes);
                builder.Detach().Dispose();
            }),
            ("Write and AdvanceTo", static (builder, _) =>
            {
                builder.Write(s_bytes);
                builder.AdvanceTo(builder.Sequence.End);
            }),
        ];
        return calls.Select(call => new RacedKind($"{name}.{call.Name}", company =>
        {
            SequenceBuilder<byte> builder = create(company);
            return new RacedOwner(() => call.Call(builder, company), builder.Dispose);
        }));
    }

    private static IEnumerable<RacedKind> Writers(string name, Func<RaceCompany, PooledWriter<byte>> create)
    {
        (string Name, Action<PooledWriter<byte>> Call)[] calls =
        [
            ("Write", static writer => writer.Write(s_bytes)),
            ("GetMemory and Advance", static writer =>
            {
                writer.GetMemory(200);
                writer.Advance(200);
            }),
            ("Reserve", static writer => writer.Reserve(70)),
            ("Write and Clear", static writer =>
            {
                writer.Write(s_bytes);
                writer.Clear();
            }),
            ("Write and Detach", static writer =>
            {
                writer.Write(s_bytes);
                writer.Detach().Dispose();
            }),
        ];
        return calls.Select(call => new RacedKind($"{name}.{call.Name}", company =>
        {
            PooledWriter<byte> writer = create(company);
            return new RacedOwner(() => call.Call(writer), writer.Dispose);
        }));
    }

    private static IEnumerable<RacedKind> Streams(string name, Func<RaceCompany, PooledMemoryStreamOptions> options)
    {
        (string Name, Action<PooledMemoryStream> Call)[] calls =
        [
            ("Write", static stream => stream.Write(s_bytes)),
            ("WriteAsync", static stream => stream.WriteAsync(s_bytes).AsTask().GetAwaiter().GetResult()),
            ("SetLength", static stream => stream.SetLength((stream.Length + 900) % 9_000)),
            ("Write and Detach", static stream =>
            {
                stream.Write(s_bytes);
                stream.Detach().Dispose();
            }),
        ];
        return calls.Select(call => new RacedKind($"{name}.{call.Name}", company =>
        {
            PooledMemoryStream stream = new(options(company));
            return new RacedOwner(
                () =>
                {
                    call.Call(stream);
                    stream.Position = stream.Length > 20_000 ? 0 : stream.Length;
                },
                stream.Dispose);
        }));
    }

    private static IEnumerable<RacedKind> Leases(string name, Func<RaceCompany, IMemoryOwner<byte>> create, bool canPin = true)
    {
        (string Name, Action<IMemoryOwner<byte>> Call)[] calls =
        [
            ("Memory", static owner => _ = owner.Memory.Length),
            ("Pin", static owner => owner.Memory.Pin().Dispose()),
        ];
        return calls.Take(canPin ? 2 : 1).Select(call => new RacedKind($"{name}.{call.Name}", company =>
        {
            IMemoryOwner<byte> owner = create(company);
            return new RacedOwner(() => call.Call(owner), owner.Dispose);
        }));
    }

    /// <summary>A side of a connection whose other side writes and reads nothing. Disposed, it has closed both rings.</summary>
    private static RacedOwner Pipe(Action<SharedPipe> call, Action<SharedPipe> dispose)
    {
        string name = $"composed.race.{Environment.ProcessId}.{Interlocked.Increment(ref s_rings)}";
        SharedRing input = SharedRing.Create(name + ".in", 1 << 13);
        SharedRing output = SharedRing.Create(name + ".out", 1 << 13);
        SharedRing written = SharedRing.Open(input.Name);
        SharedRing read = SharedRing.Open(output.Name);
        SharedPipe pipe = new(input, output);
        written.Write(s_bytes);
        return new RacedOwner(() => call(pipe), () => dispose(pipe), () =>
        {
            pipe.Dispose();
            written.Dispose();
            read.Dispose();
            Array.ForEach([input, output], static ring => Company.Refuses<ObjectDisposedException>(
                "A ring that must be closed by the disposal", () => _ = ring.WriterProcessId));
        });
    }

    private static RacedOwner Stream(Action<Stream> call)
    {
        Stream? stream = null;
        return Pipe(pipe => call(stream ??= pipe.AsStream()), pipe => (stream ?? pipe.AsStream()).Dispose());
    }

    /// <summary>What says that the pipe is completed is the platform's word for disposed.</summary>
    private static void Read(PipeReader reader)
    {
        try
        {
            ReadResult result = reader.ReadAsync().AsTask().GetAwaiter().GetResult();
            reader.AdvanceTo(result.Buffer.Start, result.IsCompleted ? result.Buffer.End : result.Buffer.Start);
            ObjectDisposedException.ThrowIf(result.IsCompleted || result.IsCanceled, reader);
        }
        catch (InvalidOperationException e) when (e.Message.Contains("completed", StringComparison.Ordinal))
        {
            throw new ObjectDisposedException(e.Message, e);
        }
    }
}

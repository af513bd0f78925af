using System.IO.Pipelines;
using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>The members of pipes, of their streams, and of listeners, and what must have become of the bytes.</summary>
internal static class RacedPipes
{
    private const int Capacity = 4096;

    internal static RacedSharingMember[] Of(string kind) => kind switch
    {
        "pipe" => Pipes,
        "stream" => Streams,
        _ => Listeners,
    };

    private static RacedSharingMember[] Pipes =>
    [
        RacedSharingMember.That("WriteAsync", WriterOfPipe, static raced => Write(raced, 2000)),
        RacedSharingMember.That("WriteAsync much", WriterOfPipe, static raced => Write(raced, 20_000)),
        RacedSharingMember.That("GetMemory, Advance, FlushAsync", WriterOfPipe, static raced =>
        {
            // A span must not be written to beside a disposal.
            raced.As<SharedPipe>().Output.GetMemory(100);
            raced.As<SharedPipe>().Output.Advance(0);
            raced.As<SharedPipe>().Output.FlushAsync().AsTask().Get();
        }),
        RacedSharingMember.That(
            "CancelPendingFlush", WriterOfPipe, static raced => raced.As<SharedPipe>().Output.CancelPendingFlush(), true),
        RacedSharingMember.That("the writer's Complete", WriterOfPipe, static raced => raced.As<SharedPipe>().Output.Complete(), true),
        RacedSharingMember.That("ReadAsync, AdvanceTo", ReaderOfPipe, static raced =>
        {
            PipeReader reader = raced.As<SharedPipe>().Input;
            ReadResult result = reader.ReadAsync().AsTask().GetAwaiter().GetResult();
            reader.AdvanceTo(result.Buffer.Start, result.Buffer.End);
        }),
        RacedSharingMember.That("TryRead, AdvanceTo", ReaderOfPipe, static raced =>
        {
            if (raced.As<SharedPipe>().Input.TryRead(out ReadResult result))
            {
                raced.As<SharedPipe>().Input.AdvanceTo(result.Buffer.End);
            }
        }),
        RacedSharingMember.That("a reader's CopyToAsync", ReaderOfPipe, static raced =>
            raced.As<SharedPipe>().Input.CopyToAsync(new VerifyingStream(raced)).Get()),
        RacedSharingMember.That("a reader's CopyToAsync to a pipe", ReaderOfPipe, static raced =>
            raced.As<SharedPipe>().Input.CopyToAsync(PipeWriter.Create(new VerifyingStream(raced))).Get()),
        RacedSharingMember.That("CancelPendingRead", ReaderOfPipe, static raced => raced.As<SharedPipe>().Input.CancelPendingRead(), true),
        RacedSharingMember.That("the reader's Complete", ReaderOfPipe, static raced => raced.As<SharedPipe>().Input.Complete(), true),
        RacedSharingMember.That("PeerProcessId", ReaderOfPipe, static raced => _ = raced.As<SharedPipe>().PeerProcessId, true),
        RacedSharingMember.That("Abort", ReaderOfPipe, static raced => raced.As<SharedPipe>().Abort(), true),
    ];

    private static RacedSharingMember[] Streams =>
    [
        RacedSharingMember.That("Write", WriterOfStream, static raced => WriteSpan(raced, 2000)),
        RacedSharingMember.That("Write much", WriterOfStream, static raced => WriteSpan(raced, 20_000)),
        RacedSharingMember.That("Write array", WriterOfStream, static raced =>
        {
            raced.As<Stream>().Write(raced.NextBytes(100), 0, 100);
            raced.HasWritten(100);
        }),
        RacedSharingMember.That("WriteByte", WriterOfStream, static raced =>
        {
            raced.As<Stream>().WriteByte(RacedSharing.ByteAt(raced.Written));
            raced.HasWritten();
        }),
        RacedSharingMember.That("WriteAsync", WriterOfStream, static raced => WriteAsync(raced, 2000)),
        RacedSharingMember.That("WriteAsync much", WriterOfStream, static raced => WriteAsync(raced, 20_000)),
        RacedSharingMember.That("BeginWrite", WriterOfStream, static raced =>
        {
            raced.As<Stream>().EndWrite(raced.As<Stream>().BeginWrite(raced.NextBytes(1000), 0, 1000, null, null));
            raced.HasWritten(1000);
        }),
        RacedSharingMember.That("Read", ReaderOfStream, static raced => Take(raced, raced.As<Stream>().Read(raced.Bytes.AsSpan()))),
        RacedSharingMember.That("Read array", ReaderOfStream, static raced => Take(raced, raced.As<Stream>().Read(raced.Bytes, 0, 70))),
        RacedSharingMember.That("ReadByte", ReaderOfStream, static raced =>
            raced.HasReadBytes([(byte)raced.As<Stream>().ReadByte()])),
        RacedSharingMember.That("ReadAsync", ReaderOfStream, static raced =>
            Take(raced, raced.As<Stream>().ReadAsync(raced.Bytes.AsMemory()).AsTask().Result())),
        RacedSharingMember.That("BeginRead", ReaderOfStream, static raced =>
            Take(raced, raced.As<Stream>().EndRead(raced.As<Stream>().BeginRead(raced.Bytes, 0, 90, null, null)))),
        RacedSharingMember.That("CopyTo", ReaderOfStream, static raced => raced.As<Stream>().CopyTo(new VerifyingStream(raced))),
        RacedSharingMember.That("CopyToAsync", ReaderOfStream, static raced =>
            raced.As<Stream>().CopyToAsync(new VerifyingStream(raced)).Get()),
        RacedSharingMember.That("Flush", ReaderOfStream, static raced => raced.As<Stream>().Flush()),
        RacedSharingMember.That("CanRead", ReaderOfStream, static raced => _ = raced.As<Stream>().CanRead, true),
        RacedSharingMember.That("Dispose", ReaderOfStream, static raced => raced.As<Stream>().Dispose(), true),
    ];

    private static RacedSharingMember[] Listeners =>
    [
        RacedSharingMember.That("AcceptAsync", Listener, static raced => raced.As<SharedPipeListener>().AcceptAsync().AsTask()
            .GetAwaiter().GetResult().Dispose()),
        RacedSharingMember.That("Name", Listener, static raced => _ = raced.As<SharedPipeListener>().Name, true),
        RacedSharingMember.That("Dispose", Listener, static raced => raced.As<SharedPipeListener>().Dispose(), true),
    ];

    private static RacedSharing WriterOfPipe(string name, Random random) => Writer(name, isStream: false);

    private static RacedSharing WriterOfStream(string name, Random random) => Writer(name, isStream: true);

    private static RacedSharing ReaderOfPipe(string name, Random random) => Reader(name, random, isStream: false);

    private static RacedSharing ReaderOfStream(string name, Random random) => Reader(name, random, isStream: true);

    /// <summary>The other side reads nothing before the verification, or everything at once, so that writes wait or do not.</summary>
    private static RacedSharing Writer(string name, bool isStream)
    {
        (RacedSharing raced, SharedPipe other) = Connect(name, isStream);
        Task<string?> reading = Task.Run(async () =>
        {
            long read = 0;
            byte[] bytes = new byte[Capacity];
            try
            {
                // By copies: over spoiled memory the race may end, and dispose this side, before what was written has come.
                Stream input = other.AsStream();
                while (await input.ReadAsync(bytes) is int count and > 0)
                {
                    foreach (byte one in bytes.AsSpan(0, count))
                    {
                        if (one != RacedSharing.ByteAt(read++))
                        {
                            return $"Byte {read - 1} is another.";
                        }
                    }
                }
            }
            catch (SharedPeerLostException)
            {
                // A call was cut, so no end follows what it wrote.
            }

            return read >= raced.Written ? null : $"{raced.Written} bytes were written, and {read} came.";
        });
        raced.Verify = () => reading.Wait(TimeSpan.FromSeconds(60)) ? reading.Result : "The other side never hears of the end.";
        return raced;
    }

    private static RacedSharing Reader(string name, Random random, bool isStream)
    {
        (RacedSharing raced, SharedPipe other) = Connect(name, isStream);
        byte[] bytes = new byte[random.Next(3000)];
        for (int i = 0; i < bytes.Length; i++)
        {
            bytes[i] = RacedSharing.ByteAt(i);
        }

        other.Output.WriteAsync(bytes).AsTask().Get();
        raced.Verify = () =>
        {
            bool isTold = SpinWait.SpinUntil(() => other.Output.FlushAsync().AsTask().GetAwaiter().GetResult().IsCompleted, 60_000);
            return isTold && other.PeerProcessId == 0 ? null : "The other side is not told that this one has left.";
        };
        return raced;
    }

    private static RacedSharing Listener(string name, Random random)
    {
        SharedPipeListener listener = SharedPipeListener.Create(name);
        RacedClient? client = random.Next(2) == 0 ? new RacedClient(name) : null;
        RacedSharing raced = new(name)
        {
            Owner = listener,
            Disposals = { listener.Dispose },
            Verify = () => client is null || client.HearsOfEnd() ? null : "The client never hears of the listener's end.",
        };
        if (client is not null)
        {
            raced.Keep(client);
        }

        return raced;
    }

    private static (RacedSharing Raced, SharedPipe Other) Connect(string name, bool isStream)
    {
        SharedRing[] rings = [SharedRing.Create(name + ".up", Capacity), SharedRing.Create(name + ".down", Capacity)];
        SharedPipe pipe = new(SharedRing.Open(name + ".down"), SharedRing.Open(name + ".up"));
        SharedPipe other = new(rings[0], rings[1]);
        RacedSharing raced = new(name) { Owner = pipe, Disposals = { pipe.Dispose, () => pipe.DisposeAsync().AsTask().Get() } };
        if (isStream)
        {
            Stream stream = pipe.AsStream();
            raced = new RacedSharing(name) { Owner = stream, Disposals = { stream.Dispose, () => stream.DisposeAsync().AsTask().Get() } };
        }

        raced.Keep(other);
        return (raced, other);
    }

    private static void Write(RacedSharing raced, int length)
    {
        raced.As<SharedPipe>().Output.WriteAsync(raced.NextBytes(length)).AsTask().GetAwaiter().GetResult();
        raced.HasWritten(length);
    }

    private static void WriteSpan(RacedSharing raced, int length)
    {
        raced.As<Stream>().Write(raced.NextBytes(length).AsSpan());
        raced.HasWritten(length);
    }

    private static void WriteAsync(RacedSharing raced, int length)
    {
        raced.As<Stream>().WriteAsync(raced.NextBytes(length)).AsTask().Get();
        raced.HasWritten(length);
    }

    private static void Take(RacedSharing raced, int read) => raced.HasReadBytes(raced.Bytes.AsSpan(0, read));

    /// <summary>A client that waits for a listener, at most until this is disposed: over spoiled memory it may hear of nothing.</summary>
    private sealed class RacedClient : IDisposable
    {
        private readonly CancellationTokenSource _end = new();
        private readonly Task<SharedPipe> _connecting;

        internal RacedClient(string name) => _connecting = SharedPipe.ConnectAsync(name, Capacity, null, _end.Token).AsTask();

        internal bool HearsOfEnd() => ((IAsyncResult)_connecting).AsyncWaitHandle.WaitOne(60_000)
            && _connecting.Exception?.InnerException is null or IOException;

        public void Dispose()
        {
            _end.Cancel();
            try
            {
                _connecting.GetAwaiter().GetResult().Dispose();
            }
            catch (Exception e) when (e is OperationCanceledException or IOException or InvalidDataException or InvalidOperationException)
            {
                // Nobody accepted it.
            }

            _end.Dispose();
        }
    }

    /// <summary>A destination of copies that verifies what it gets.</summary>
    private sealed class VerifyingStream(RacedSharing raced) : MemoryStream
    {
        public override void Write(byte[] buffer, int offset, int count) => raced.HasReadBytes(buffer.AsSpan(offset, count));

        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            raced.HasReadBytes(buffer.Span);
            await Task.Yield();
        }
    }
}

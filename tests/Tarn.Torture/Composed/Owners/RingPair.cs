using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.InteropServices;
using Tarn.SharedMemory;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed.Owners;

/// <summary>
/// Two ends of a connection over rings, both in this process. Reads wait for bytes and writes for room; whatever ends one side ends what
/// waits on the other.
/// </summary>
internal sealed class RingPair : Owner
{
    private const int Capacity = 1 << 12;

    /// <summary>Where a ring's file has the read position.</summary>
    private const int ReadPosition = 4096 + 256;

    private static int s_rings;

    private readonly string _name = $"composed.{Environment.ProcessId}.{Interlocked.Increment(ref s_rings)}";
    private readonly SharedRing[] _rings;
    private readonly Side[] _sides;

    private RingPair(Company company)
        : base(company)
    {
        SharedRing forth = SharedRing.Create(_name + ".forth", Capacity);
        SharedRing back = SharedRing.Create(_name + ".back", Capacity);
        SharedRing forthToo = SharedRing.Open(forth.Name);
        SharedRing backToo = SharedRing.Open(back.Name);
        _rings = [forth, back, forthToo, backToo];
        _sides = [new Side(new SharedPipe(back, forth)), new Side(new SharedPipe(forthToo, backToo))];
    }

    internal static OwnerKind Kind { get; } = new(
        "pair of pipes over rings",
        static (company, _) => new RingPair(company),
        [
            OwnerCall.Of<RingPair>("Write", static (pair, step) => pair.Write(step.Other % 2, step.Number)),
            OwnerCall.Of<RingPair>("Write of more than fits", static (pair, step) => pair.Write(step.Other % 2, 3 * Capacity)),
            OwnerCall.Of<RingPair>("Read", static (pair, step) => pair.Read(step.Other % 2, step.Number)),
            OwnerCall.Of<RingPair>("Read of nothing yet", static (pair, step) => pair.StartRead(step.Other % 2)),
            OwnerCall.Of<RingPair>("BeginWrite beside BeginRead", static (pair, step) => pair.BeginBoth(step.Other % 2)),
        ],
        [
            OwnerCall.Of<RingPair>("both disposed", static (pair, step) => pair.DisposeBoth(step.Other % 2)),
            OwnerCall.Of<RingPair>("aborted", static (pair, step) => pair.Abort(step.Other % 2)),
            OwnerCall.Of<RingPair>("one side gone, the other writes", static (pair, step) => pair.WriteToNobody(step.Other % 2)),
            OwnerCall.Of<RingPair>("spoiled and disposed", static (pair, step) => pair.Spoil(step.Other % 2)),
        ]);

    /// <inheritdoc/>
    internal override void Charge(long[] held)
    {
    }

    /// <summary>A read that waits has its bytes once there are any, and a write its room once all was read.</summary>
    internal override void Verify()
    {
        for (int side = 0; side < _sides.Length; side++)
        {
            if (_sides[side].Read is not null && _sides[1 - side].Sent.Count > 0)
            {
                Read(side, count: 1);
            }

            if (_sides[side].Write is { } write && (write.IsCompleted || _sides[side].Sent.Count == 0))
            {
                Company.MustEnd(write, $"A write of #{Number}, all of which was read,");
                _sides[side].Write = null;
            }
        }
    }

    /// <inheritdoc/>
    internal override void Dispose() => DisposeBoth(0);

    /// <inheritdoc/>
    internal override void DisposeAgain() => Array.ForEach(_sides, static side => side.Pipe.Dispose());

    private void Write(int side, int length)
    {
        Side from = _sides[side];
        if (from.Write is not null)
        {
            return;
        }

        byte[] bytes = Company.NextBytes(Math.Max(1, length));
        from.Sent.AddRange(bytes);
        Task<FlushResult> write = from.Pipe.Output.WriteAsync(bytes).AsTask();
        if (!write.IsCompleted)
        {
            from.Write = write;
            return;
        }

        FlushResult result = write.Result;
        Require.That(!result.IsCompleted && !result.IsCanceled, $"A write of #{Number} told an end that was none.");
    }

    private void StartRead(int side)
    {
        if (_sides[1 - side].Sent.Count == 0)
        {
            _sides[side].Read ??= _sides[side].Pipe.Input.ReadAsync().AsTask();
        }
    }

    private void Read(int side, int count)
    {
        Side to = _sides[side];
        List<byte> sent = _sides[1 - side].Sent;
        if (sent.Count == 0)
        {
            return;
        }

        Task<ReadResult> read = to.Read ?? to.Pipe.Input.ReadAsync().AsTask();
        to.Read = null;
        Company.MustEnd(read, $"A read of #{Number}, for which there are {sent.Count} bytes,");
        ReadOnlySequence<byte> buffer = read.Result.Buffer;
        Require.That(
            !buffer.IsEmpty && buffer.Length <= sent.Count
                && buffer.ToArray().AsSpan().SequenceEqual(CollectionsMarshal.AsSpan(sent)[..(int)buffer.Length]),
            $"A read of #{Number} gave other bytes than were written.");
        count = (int)Math.Clamp(count, 1, buffer.Length);
        to.Pipe.Input.AdvanceTo(buffer.GetPosition(count));
        sent.RemoveRange(0, count);
    }

    /// <summary>Neither of the pairs may take the thread that the other one needs.</summary>
    private void BeginBoth(int side)
    {
        if (Array.Exists(_sides, static side => side.Read is not null || side.Write is not null || side.Sent.Count > 0))
        {
            return;
        }

        using Stream stream = _sides[side].Pipe.AsStream();
        byte[] read = new byte[1];
        IAsyncResult reading = stream.BeginRead(read, 0, 1, null, null);
        Task writing = Task.Run(() => stream.EndWrite(stream.BeginWrite([7], 0, 1, null, null)));
        Company.MustEnd(writing, $"BeginWrite of #{Number} beside BeginRead");
        _sides[1 - side].Pipe.Output.WriteAsync(new byte[] { 9 }).AsTask().Wait();
        Company.MustEnd(Task.Run(() => stream.EndRead(reading)), $"EndRead of #{Number}");
        Require.Equal(9, read[0], $"The byte that #{Number} read");
        IsOver = true;
        DisposeAll(side);
    }

    private void DisposeBoth(int first)
    {
        IsOver = true;
        DisposeAll(first);
    }

    private void Abort(int side)
    {
        IsOver = true;
        _sides[side].Pipe.Abort(new IOException("Aborted by the program."));
        DisposeAll(side);
    }

    /// <summary>What is written to nobody is not kept.</summary>
    private void WriteToNobody(int side)
    {
        IsOver = true;
        Side left = _sides[side];
        Company.MustEnd(
            _sides[1 - side].Pipe.DisposeAsync().AsTask(), $"The disposal of a side of #{Number}", mayFail: left.Sent.Count > 0);
        for (int i = 0; i < 3 && left.Write is null; i++)
        {
            Task<FlushResult> write = left.Pipe.Output.WriteAsync(new byte[3 * Capacity]).AsTask();
            Company.MustEnd(write, $"A write of #{Number} to nobody");
            Require.That(write.Result.IsCompleted, $"A write of #{Number} to nobody does not say so.");
        }

        Require.That(
            left.Pipe.Output.UnflushedBytes <= Capacity, $"#{Number} keeps {left.Pipe.Output.UnflushedBytes} bytes that nobody will read.");
        DisposeAll(side);
    }

    private void Spoil(int direction)
    {
        IsOver = true;
        string file = $"/dev/shm/tarn.{_rings[direction].Name}";
        if (File.Exists(file))
        {
            using FileStream stream = new(file, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
            stream.Position = ReadPosition;
            stream.Write([0x7D, 0x7D, 0x7D, 0x7D, 0x7D, 0x7D, 0x7D, 0x7D]);
        }

        DisposeAll(direction);
    }

    /// <summary>Both disposals end, whatever waits ends with them, and every ring is closed.</summary>
    private void DisposeAll(int first)
    {
        Task[] disposals = [_sides[first].Pipe.DisposeAsync().AsTask(), _sides[1 - first].Pipe.DisposeAsync().AsTask()];
        Array.ForEach(disposals, one => Company.MustEnd(one, $"The disposal of a side of #{Number}"));
        foreach (Side side in _sides)
        {
            Company.MustEnd(side.Read, $"A read of #{Number} whose sides are disposed", mayFail: true);
            Company.MustEnd(side.Write, $"A write of #{Number} whose sides are disposed", mayFail: true);
        }

        DisposeAgain();
        Array.ForEach(_rings, ring => Company.Refuses<ObjectDisposedException>(
            $"WriterProcessId of a ring of #{Number} that must be closed", () => _ = ring.WriterProcessId));
    }

    private sealed class Side(SharedPipe pipe)
    {
        internal SharedPipe Pipe => pipe;

        /// <summary>Bytes that this side wrote and the other one has not consumed.</summary>
        internal List<byte> Sent { get; } = [];

        internal Task<ReadResult>? Read { get; set; }

        internal Task<FlushResult>? Write { get; set; }
    }
}

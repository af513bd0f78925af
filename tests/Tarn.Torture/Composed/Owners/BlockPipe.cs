using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.InteropServices;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed.Owners;

/// <summary>The platform's pipe over blocks of a pool of its own with a budget: a connection. Its writer waits for blocks.</summary>
internal sealed class BlockPipe : Owner
{
    private readonly BufferPool<byte> _pool;
    private readonly BudgetNode _node;
    private readonly Pipe _pipe;
    private readonly List<byte> _contents = [];

    private BlockPipe(Company company, BudgetNode node)
        : base(company)
    {
        _node = node;
        _pool = company.CreatePool("composed pipe's pool", node);
        _pipe = new Pipe(new PipeOptions(
            _pool.AsMemoryPool(), PipeScheduler.Inline, PipeScheduler.Inline, pauseWriterThreshold: 0, useSynchronizationContext: false));
    }

    internal static OwnerKind Kind { get; } = new(
        "pipe",
        static (company, _) => company.PoolNode is { } node ? new BlockPipe(company, node) : null,
        [
            OwnerCall.Of<BlockPipe>("GetMemoryAsync and Advance", static (pipe, step) => pipe.WriteOrWait(step.Number)),
            OwnerCall.Of<BlockPipe>("Read", static (pipe, step) => pipe.Read(step.Number)),
        ],
        [
            OwnerCall.Of<BlockPipe>("reader gone", static (pipe, _) => pipe.EndAfter(
                "although the reader has completed", static pipe => pipe._pipe.Reader.Complete(new IOException("The client has gone.")))),
            OwnerCall.Of<BlockPipe>("flush cancelled", static (pipe, _) => pipe.EndAfter(
                "although the pending flush was cancelled", static pipe => pipe._pipe.Writer.CancelPendingFlush())),
            OwnerCall.Of<BlockPipe>("completed", static (pipe, _) => pipe.Dispose()),
        ]);

    /// <inheritdoc/>
    internal override bool KeepsWhileWaiting => false;

    /// <inheritdoc/>
    internal override void Charge(long[] held) => Add(held, _node, _pool.GetStatistics().InUseBytes);

    /// <inheritdoc/>
    internal override void Verify()
    {
    }

    /// <inheritdoc/>
    internal override void Dispose() =>
        EndAfter("although the reader has completed", static pipe => pipe._pipe.Reader.Complete());

    /// <inheritdoc/>
    internal override void DisposeAgain()
    {
        _pipe.Reader.Complete();
        _pipe.Writer.Complete();
    }

    /// <summary>Something ends that ends what waits as well. Then both sides complete.</summary>
    private void EndAfter(string why, Action<BlockPipe> end)
    {
        end(this);
        if (Waiting is { } wait)
        {
            Company.EndOf(wait, why, static _ => true);
        }

        IsOver = true;
        DisposeAgain();
    }

    private void WriteOrWait(int length)
    {
        byte[] bytes = Company.NextBytes(length);
        long asked = 0;
        bool isWritten = Company.Try(() =>
        {
            try
            {
                Write(_pipe.Writer.GetMemory(length), bytes);
            }
            catch (BufferBudgetExceededException e)
            {
                asked = e.Asked;
                throw;
            }
        });
        if (!isWritten && asked > 0)
        {
            Task<Memory<byte>>? memory = null;
            Company.Wait(
                this, "GetMemoryAsync", _node, asked,
                cancellation => memory = _node.Budget.GetMemoryAsync(_pipe.Writer, length, cancellation).AsTask(),
                () => Write(memory!.Result, bytes));
        }
    }

    private void Write(Memory<byte> memory, byte[] bytes)
    {
        Require.That(memory.Length >= bytes.Length, $"#{Number} got {memory.Length} bytes of room, and asked for {bytes.Length}.");
        bytes.CopyTo(memory);
        _pipe.Writer.Advance(bytes.Length);
        _pipe.Writer.FlushAsync().AsTask().Wait();
        _contents.AddRange(bytes);
    }

    private void Read(int count)
    {
        if (!_pipe.Reader.TryRead(out ReadResult result))
        {
            Require.That(_contents.Count == 0, $"#{Number} has {_contents.Count} bytes and lets nobody read them.");
            return;
        }

        ReadOnlySequence<byte> read = result.Buffer;
        Require.That(read.ToArray().AsSpan().SequenceEqual(CollectionsMarshal.AsSpan(_contents)), $"#{Number} gave other bytes.");
        count = (int)Math.Min(count, read.Length);
        _pipe.Reader.AdvanceTo(read.GetPosition(count));
        _contents.RemoveRange(0, count);
    }
}

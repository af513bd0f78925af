using System.IO.Pipelines;

namespace Tarn.SharedMemory;

/// <summary>
/// A connection of two processes through two rings, one for each direction. A ring by itself is a pipe in one direction:
/// <see cref="CreateReader"/> and <see cref="CreateWriter"/> make a reader and a writer of System.IO.Pipelines of it.
/// </summary>
/// <remarks>
/// <para><see cref="ConnectAsync"/> returns the side of a process that asked a <see cref="SharedPipeListener"/>, which has the other one.
/// Reader and writer behave as those of a single ring do.</para>
/// <para>The bytes of all messages of a ring, in order, are the bytes of the pipe: where one message ends and the next begins means
/// nothing.
/// An empty message is the end of the bytes, so either side may use the ring's own methods instead. Both sides work in the ring's memory:
/// the writer hands out its room, and the reader returns its messages where they lie. No call waits on its thread.</para>
/// <para>The ring's limits are the pipe's. A flush waits until a quarter of the ring is free. Bytes for which the ring has no room before
/// the flush, and bytes that the reader examined but did not consume while the ring is half full, are kept in arrays of
/// <see cref="BufferPool{T}.Shared"/>.</para>
/// <para>One thread may read while another writes. <see cref="Abort"/>, <see cref="Dispose"/> and <see cref="DisposeAsync"/> are safe from
/// any thread, beside any call.</para>
/// </remarks>
public sealed partial class SharedPipe : IDuplexPipe, IDisposable, IAsyncDisposable
{
    private readonly SharedRing _input;
    private readonly SharedRing _output;

    /// <summary>Makes a connection of two rings that the caller opened.</summary>
    /// <param name="input">The ring to read from. The pipe disposes it.</param>
    /// <param name="output">The ring to write to. The pipe disposes it.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="InvalidOperationException">Another process, or another ring object of this process, has a role.</exception>
    /// <exception cref="InvalidDataException">A ring is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">A ring was disposed.</exception>
    public SharedPipe(SharedRing input, SharedRing output)
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentNullException.ThrowIfNull(output);
        (_input, _output) = (input, output);
        Reader = new RingPipeReader(input, leaveOpen: false);
        try
        {
            Writer = new RingPipeWriter(output, leaveOpen: false);
        }
        catch
        {
            Reader.Complete();
            throw;
        }
    }

    /// <summary>What the other side writes.</summary>
    public PipeReader Input => Reader;

    /// <summary>What the other side reads.</summary>
    public PipeWriter Output => Writer;

    internal RingPipeReader Reader { get; }

    internal RingPipeWriter Writer { get; }

    /// <summary>
    /// The id of the process at the other side; 0 if it has not come yet, if it has closed its side or exited, or if this side is closed.
    /// </summary>
    public int PeerProcessId
    {
        get
        {
            try
            {
                return _input.WriterProcessId is > 0 and int writer ? writer : _output.ReaderProcessId;
            }
            catch (ObjectDisposedException)
            {
                return 0;
            }
        }
    }

    /// <summary>Connects to the process that listens at a name.</summary>
    /// <param name="name">The name of its <see cref="SharedPipeListener"/>.</param>
    /// <param name="capacity">The bytes that each direction holds, from 1 to 1 GiB, as for a ring.</param>
    /// <param name="options">Who may be at the other side, and where tasks continue; null for the defaults.</param>
    /// <param name="cancellationToken">Ends the wait until the listener accepts.</param>
    /// <returns>The connection. The caller must dispose it.</returns>
    /// <remarks>
    /// <para>128 clients can wait for a listener to accept them, in the order in which they came. More clients wait too: each tries up to
    /// 20 times a second to become one of the 128.</para>
    /// <para>The names of its rings are gone when the call returns, so nothing remains of it when both processes have ended.</para>
    /// </remarks>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is not a valid name, or too long for one of a listener.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is not from 1 to 1 GiB.</exception>
    /// <exception cref="FileNotFoundException">Nobody listens at that name.</exception>
    /// <exception cref="InvalidDataException">
    /// What has that name is no listener, or one of another version, or another process spoiled its queue.
    /// </exception>
    /// <exception cref="IOException">
    /// The listener ended before it accepted; or it refused, and the message has its reason; or the system lacks that much shared memory.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="UnauthorizedAccessException">The system denies the process access.</exception>
    public static async ValueTask<SharedPipe> ConnectAsync(
        string name, int capacity = 1 << 20, SharedPipeOptions? options = null, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        using PipeRequest request = new(name, capacity, options);
        return await request.SendAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Returns a stream of both directions.</summary>
    /// <returns>The stream. Its disposal disposes this.</returns>
    /// <remarks>
    /// Its asynchronous calls hold no thread; the others wait on theirs. A write flushes. It throws <see cref="IOException"/> when the
    /// other side has closed its end.
    /// </remarks>
    public Stream AsStream() => new SharedPipeStream(this);

    /// <summary>
    /// Closes both directions at once: the other side sees no end, but <see cref="SharedPeerLostException"/>. The memory remains until
    /// <see cref="Dispose"/>.
    /// </summary>
    /// <param name="reason">
    /// What calls on this side do from now on, those in progress too: if null, they throw <see cref="ObjectDisposedException"/>. Otherwise
    /// reads throw the reason, and flushes return <see cref="FlushResult.IsCompleted"/>, as those of a pipe whose other end was completed.
    /// </param>
    public void Abort(Exception? reason = null)
    {
        try
        {
            Writer.Abort(reason);
        }
        finally
        {
            Reader.Abort(reason);
        }
    }

    /// <summary>
    /// Completes both directions, from any thread: a call in progress completes, or throws <see cref="ObjectDisposedException"/>. If the
    /// end of what this side wrote needs room, it waits on its thread: <see cref="DisposeAsync"/> does not. Nothing that the other side did
    /// makes it throw. A second call does nothing.
    /// </summary>
    public void Dispose() => PipeCalls.Await(CompleteAsync(waits: true));

    /// <summary>Completes both directions, as <see cref="Dispose"/> does, without holding a thread.</summary>
    /// <returns>The completion.</returns>
    public ValueTask DisposeAsync() => CompleteAsync(waits: true);

    /// <summary>Completes both directions.</summary>
    /// <param name="waits">Whether to wait for the room of bytes that no flush published.</param>
    internal async ValueTask CompleteAsync(bool waits)
    {
        try
        {
            await Writer.CompleteAsync(ends: true, waits).ConfigureAwait(false);
        }
        finally
        {
            await Reader.CompleteAsync().ConfigureAwait(false);
        }
    }
}

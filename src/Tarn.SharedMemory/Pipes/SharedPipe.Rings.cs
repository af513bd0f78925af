using System.IO.Pipelines;

namespace Tarn.SharedMemory;

/// <content>One ring as a pipe's reader and writer.</content>
public sealed partial class SharedPipe
{
    /// <summary>Takes the ring's reader's role, and returns a reader of its bytes.</summary>
    /// <param name="ring">The ring, which nothing else reads from now on.</param>
    /// <param name="leaveOpen">
    /// Whether the ring stays open when the reader is completed. By default the reader disposes it, which tells the writer: its flush
    /// returns <see cref="FlushResult.IsCompleted"/>.
    /// </param>
    /// <returns>
    /// The reader. It must be completed: until then the ring stays mapped, even if another thread disposes it.
    /// </returns>
    /// <remarks>
    /// <para>A read is completed when the writer has completed without an exception. A writer that ended otherwise is reported by
    /// <see cref="SharedPeerLostException"/> after everything that it flushed was read; each later read reports it too, because nobody
    /// knows how the bytes would go on. With <see cref="SharedRing.AwaitSuccessor"/>, reads wait for the next writer
    /// instead.</para>
    /// <para>A message is passed when all its bytes are consumed, so a reader's successor begins at the beginning of a message. If the ring
    /// is left open, the next reader finds what the next writer writes.</para>
    /// </remarks>
    /// <exception cref="ArgumentNullException"><paramref name="ring"/> is null.</exception>
    /// <exception cref="InvalidOperationException">Another process, or another ring object of this process, is the reader.</exception>
    /// <exception cref="InvalidDataException">The ring is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The ring was disposed.</exception>
    public static PipeReader CreateReader(SharedRing ring, bool leaveOpen = false)
    {
        ArgumentNullException.ThrowIfNull(ring);
        return new RingPipeReader(ring, leaveOpen);
    }

    /// <summary>Takes the ring's writer's role, and returns a writer of bytes into it.</summary>
    /// <param name="ring">The ring, to which nothing else writes from now on.</param>
    /// <param name="leaveOpen">
    /// Whether the ring stays open when the writer is completed. By default the writer disposes it. The reader still gets everything that
    /// was flushed, if it has the ring open.
    /// </param>
    /// <returns>The writer. It must be completed: until then the ring stays mapped.</returns>
    /// <remarks>
    /// <para>A completion without an exception flushes, and writes the end. If it must wait for room,
    /// <see cref="PipeWriter.CompleteAsync"/> does so without a thread, and <see cref="PipeWriter.Complete"/> on the calling one. A
    /// completion with an exception flushes nothing and writes no end: the reader gets <see cref="SharedPeerLostException"/> when the ring
    /// is disposed.</para>
    /// <para>When the reader was completed, a flush returns <see cref="FlushResult.IsCompleted"/>. A reader that ended otherwise is
    /// reported by <see cref="SharedPeerLostException"/> when there is no room for it.</para>
    /// <para>A write whose token is cancelled before the call writes nothing. One that is cancelled while it waits has written all its
    /// bytes, which later flushes publish.</para>
    /// </remarks>
    /// <exception cref="ArgumentNullException"><paramref name="ring"/> is null.</exception>
    /// <exception cref="InvalidOperationException">Another process, or another ring object of this process, is the writer.</exception>
    /// <exception cref="InvalidDataException">The ring is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The ring was disposed.</exception>
    public static PipeWriter CreateWriter(SharedRing ring, bool leaveOpen = false)
    {
        ArgumentNullException.ThrowIfNull(ring);
        return new RingPipeWriter(ring, leaveOpen);
    }
}

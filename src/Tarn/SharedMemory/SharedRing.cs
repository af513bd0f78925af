using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <summary>
/// Carries messages from one process to another through shared memory: one writer, one reader, in order, each message complete or absent.
/// </summary>
/// <remarks>
/// <para>One process creates the ring, and others open it by name. Names are shared with <see cref="SharedRegion"/>. The first process to
/// write becomes the writer, and the first to read the reader; <see cref="AttachWriter"/> and <see cref="AttachReader"/> take a role at
/// once. It does not matter which process created the ring. A process keeps its role until it disposes the ring or ends. Until then, the
/// ring refuses the role to other processes and to other ring objects of the same process. One object may have both roles.</para>
/// <para>While both sides are busy, no call reaches the operating system, and each side copies a message once or not at all:
/// <see cref="BeginWrite"/> returns room in the ring itself, and <see cref="BeginRead"/> returns the message in place. A side that finds
/// the ring empty or full spins for about 20 µs, then sleeps until the other side wakes it. A waiting call holds its thread;
/// <see cref="WaitToReadAsync"/>, <see cref="WaitToWriteAsync"/> and <see cref="ReadAllAsync"/> wait without one.</para>
/// <para>A process that ends at any moment leaves the ring intact. The messages it published remain; a message it had only begun is lost. A
/// successor attaches and continues: a writer after the last published message, a reader at the first message that was not passed. If a
/// reader ends between reading a message and passing it, its successor reads that message again. A call that would wait for an exited
/// process throws <see cref="SharedPeerLostException"/>, or waits for its successor if
/// <see cref="SharedRegionOptions.AwaitsSuccessor"/> is set. Where either side may restart, both call
/// <see cref="CreateOrOpen(string, int, SharedRegionOptions?)"/> with that option, and with
/// <see cref="SharedRegionOptions.DeleteOnDispose"/> set to false.</para>
/// <para>On Linux, processes in containers with separate process ids see each other's exits if they share /dev/shm. Where this process
/// cannot see whether the other one runs, because the system has no locks for it, or the other one runs under another kernel, a call waits
/// for 30 seconds and then throws <see cref="TimeoutException"/>.</para>
/// <para>No contents of the shared memory make a process read or write outside it: an impossible header or record throws
/// <see cref="InvalidDataException"/>. If the writer is not Tarn, the bytes of a message returned by <see cref="BeginRead"/> may change
/// while they are read.</para>
/// <para>Only one thread may write at a time, and only one may read; one thread may write while another reads. A second thread in the same
/// role throws <see cref="InvalidOperationException"/> if the ring detects it, which is not guaranteed. A wait that was not awaited to
/// its end counts as a thread. <see cref="Dispose"/> is safe at
/// any time, from any thread: a waiting call then throws <see cref="ObjectDisposedException"/>. Do not use spans obtained earlier after
/// disposal. If a ring is forgotten while a message is in progress, it stays mapped until the process ends, so the message's span remains
/// valid.</para>
/// </remarks>
public sealed unsafe partial class SharedRing : IDisposable
{
    private readonly SharedRegion _region;
    private readonly SharedSignal _data;
    private readonly SharedSignal _space;
    private readonly RingWriter _writer;
    private readonly RingReader _reader;
    private int _isDisposed;

    private SharedRing(SharedRegion region, SharedRegionOptions? options)
    {
        _region = region;
        AwaitsSuccessor = options is { AwaitsSuccessor: true };
        Capacity = RingHeader.CapacityOf(region.Size)
            ?? throw new InvalidDataException($"The ring \"{region.Name}\" cannot be opened: no ring has a region of {region.Size} bytes.");
        RingHeader* header = Header;
        string signalName = RegionNames.ToFileName(region.Name);
        _data = SharedSignal.Create(signalName + ".data", &header->Data.Signal);
        _space = SharedSignal.Create(signalName + ".space", &header->Space.Signal);
        bool goesOnInline = options is { AllowSynchronousContinuations: true };
        _writer = new RingWriter(this, header, _space, _data) { GoesOnInline = goesOnInline };
        _reader = new RingReader(this, header, _data, _space) { GoesOnInline = goesOnInline };
    }

    /// <summary>
    /// Gives up the roles of a forgotten ring. If a message is in progress, its span may still be in use, so the memory stays mapped until
    /// the process ends.
    /// </summary>
    ~SharedRing()
    {
        // Null if the constructor threw.
        if (_reader is not null && (_reader.HasBegun || _writer.HasBegun))
        {
            _region.PinAt(0);
        }

        Close();
    }

    /// <summary>The name it was created with.</summary>
    public string Name => _region.Name;

    /// <summary>
    /// The bytes of messages the ring holds: the requested capacity, rounded up to a power of two of at least 64. Each message takes its
    /// length, rounded up to a multiple of 8, and 8 bytes more.
    /// </summary>
    public int Capacity { get; }

    /// <summary>The length of the longest message, in bytes: half the capacity.</summary>
    public int MaxMessageLength => RingHeader.LongestMessage(Capacity);

    /// <summary>The id of the writing process; 0 if no process has written yet, or the writer disposed its ring or exited.</summary>
    /// <exception cref="ObjectDisposedException">The ring was disposed.</exception>
    public int WriterProcessId => ProcessIdOf(_writer);

    /// <summary>The id of the reading process; 0 if no process has read yet, or the reader disposed its ring or exited.</summary>
    /// <exception cref="ObjectDisposedException">The ring was disposed.</exception>
    public int ReaderProcessId => ProcessIdOf(_reader);

    /// <summary>A value that no other ring has: two rings that had the same name one after the other differ in it.</summary>
    public Guid Id => _region.Id;

    /// <summary>The region that contains the ring.</summary>
    internal SharedRegion Region => _region;

    /// <summary>Whether a disposal has begun.</summary>
    internal bool IsDisposed => Volatile.Read(ref _isDisposed) != 0;

    /// <summary>The side that writes, for what writes bytes.</summary>
    internal RingWriter Writer => _writer;

    /// <summary>The side that reads, for what reads bytes.</summary>
    internal RingReader Reader => _reader;

    /// <summary>Whether the exit of a process at the other side is no reason to end a wait.</summary>
    internal bool AwaitsSuccessor { get; }

    /// <summary>The ring's header, at the beginning of the region.</summary>
    internal RingHeader* Header => (RingHeader*)_region.Pointer;

    /// <summary>Takes the writer's role now rather than with the first write. Does nothing if this ring has it.</summary>
    /// <exception cref="InvalidOperationException">Another process, or another ring object of this process, is the writer.</exception>
    /// <exception cref="InvalidDataException">The ring is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The ring was disposed.</exception>
    public void AttachWriter() => _writer.Attach();

    /// <summary>Takes the reader's role now rather than with the first read. Does nothing if this ring has it.</summary>
    /// <exception cref="InvalidOperationException">Another process, or another ring object of this process, is the reader.</exception>
    /// <exception cref="InvalidDataException">The ring is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The ring was disposed.</exception>
    public void AttachReader() => _reader.Attach();

    /// <summary>Writes a message if there is room.</summary>
    /// <param name="message">The message; may be empty.</param>
    /// <returns>True if the message was written; false if there was no room.</returns>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public bool TryWrite(ReadOnlySpan<byte> message)
    {
        ThrowIfTooLong(message);
        return _writer.TryWrite(message);
    }

    /// <summary>Writes a message; waits until there is room for it.</summary>
    /// <param name="message">The message; may be empty.</param>
    /// <param name="cancellationToken">Cancels the wait. Nothing is written then.</param>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="SharedPeerLostException">There is no room, and the reader has exited. Reported once for each exit.</exception>
    /// <exception cref="TimeoutException">
    /// There is no room for 30 seconds, and this process cannot see whether the reader runs.
    /// </exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public void Write(ReadOnlySpan<byte> message, CancellationToken cancellationToken = default)
    {
        ThrowIfTooLong(message);
        cancellationToken.ThrowIfCancellationRequested();
        _writer.Write(message, cancellationToken);
    }

    /// <summary>Returns room for a message in the ring itself, if there is any; <see cref="EndWrite"/> publishes the message.</summary>
    /// <param name="length">The most bytes the message will have.</param>
    /// <param name="message">The room, with undefined contents. Valid until the next call that writes.</param>
    /// <returns>True if there was room.</returns>
    /// <remarks>The next call that writes discards a message that was begun but not ended.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than <see cref="MaxMessageLength"/>.
    /// </exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public bool TryBeginWrite(int length, out Span<byte> message)
    {
        ThrowIfNotLength(length);
        return _writer.TryBegin(length, out message);
    }

    /// <summary>Returns room for a message in the ring itself; waits until there is any. <see cref="EndWrite"/> publishes it.</summary>
    /// <param name="length">The most bytes the message will have.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The room, with undefined contents. Valid until the next call that writes.</returns>
    /// <remarks>The next call that writes discards a message that was begun but not ended.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than <see cref="MaxMessageLength"/>.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="SharedPeerLostException">There is no room, and the reader has exited. Reported once for each exit.</exception>
    /// <exception cref="TimeoutException">
    /// There is no room for 30 seconds, and this process cannot see whether the reader runs.
    /// </exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public Span<byte> BeginWrite(int length, CancellationToken cancellationToken = default)
    {
        ThrowIfNotLength(length);
        cancellationToken.ThrowIfCancellationRequested();
        return _writer.Begin(length, cancellationToken);
    }

    /// <summary>Publishes the message that was begun.</summary>
    /// <param name="length">Its length in bytes: at most the length requested.</param>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than was requested. The message can still be ended.
    /// </exception>
    /// <exception cref="InvalidOperationException">No message is begun.</exception>
    /// <exception cref="ObjectDisposedException">The ring was disposed.</exception>
    public void EndWrite(int length) => _writer.End(length);

    /// <summary>Reads the next message if there is one.</summary>
    /// <param name="destination">Receives the message.</param>
    /// <param name="length">The message's length in bytes; 0 if there is no message.</param>
    /// <returns>True if a message was read; false if there is none.</returns>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than the message, which remains unread.</exception>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public bool TryRead(Span<byte> destination, out int length) => _reader.TryRead(destination, out length);

    /// <summary>Reads the next message; waits until there is one.</summary>
    /// <param name="destination">Receives the message.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The message's length in bytes.</returns>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than the message, which remains unread.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="SharedPeerLostException">
    /// All messages have been read, and the writer has exited. Reported once for each exit.
    /// </exception>
    /// <exception cref="TimeoutException">
    /// There is no message for 30 seconds, and this process cannot see whether the writer runs.
    /// </exception>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public int Read(Span<byte> destination, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return _reader.Read(destination, cancellationToken);
    }

    /// <summary>Returns the next message in place, if there is one; <see cref="EndRead"/> passes it.</summary>
    /// <param name="message">The message. Valid until the next call that reads.</param>
    /// <returns>True if there was a message.</returns>
    /// <remarks>A message that was not passed is returned again by the next read.</remarks>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public bool TryBeginRead(out ReadOnlySpan<byte> message) => _reader.TryBegin(out message);

    /// <summary>Returns the next message in place; waits until there is one. <see cref="EndRead"/> passes it.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The message. Valid until the next call that reads.</returns>
    /// <remarks>A message that was not passed is returned again by the next read.</remarks>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="SharedPeerLostException">
    /// All messages have been read, and the writer has exited. Reported once for each exit.
    /// </exception>
    /// <exception cref="TimeoutException">
    /// There is no message for 30 seconds, and this process cannot see whether the writer runs.
    /// </exception>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public ReadOnlySpan<byte> BeginRead(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return _reader.Begin(cancellationToken);
    }

    /// <summary>Passes the message that <see cref="BeginRead"/> returned: the writer can use its room again.</summary>
    /// <exception cref="InvalidOperationException">No message is begun.</exception>
    /// <exception cref="ObjectDisposedException">The ring was disposed.</exception>
    public void EndRead() => _reader.End();

    /// <summary>
    /// Gives up the roles that this object has and unmaps the ring. Unread messages remain for every process that has the ring open, or
    /// opens it while its name exists. A second call does nothing.
    /// </summary>
    public void Dispose()
    {
        Close();
        GC.SuppressFinalize(this);
    }

    /// <summary>Checks the equations of <see cref="RingHeader"/>; for tests, while no side writes or reads.</summary>
    /// <exception cref="InvalidOperationException">An equation does not hold; the message names it.</exception>
    internal void Validate() => RingHeader.Validate(Header, Capacity);

    /// <summary>Reads a process id while keeping the header mapped, because another thread may dispose the ring.</summary>
    private int ProcessIdOf(RingSide side)
    {
        _region.PinAt(0);
        try
        {
            return side.ProcessId;
        }
        finally
        {
            _region.Unpin();
        }
    }

    private void Close()
    {
        // Null if the constructor threw.
        if (_reader is null || Interlocked.Exchange(ref _isDisposed, 1) != 0)
        {
            return;
        }

        // Both sides close before either role is given up: a waiting call reports that the ring was disposed, not that its peer left.
        _writer.BeginClosing();
        _reader.BeginClosing();
        _writer.AwaitNobodyInside();
        _reader.AwaitNobodyInside();
        _writer.Close();
        _reader.Close();
        _data.Dispose();
        _space.Dispose();
        _region.Dispose();
    }

    private void ThrowIfTooLong(ReadOnlySpan<byte> message)
    {
        if (message.Length > MaxMessageLength)
        {
            ThrowTooLong(message);
        }
    }

    private void ThrowIfNotLength(int length)
    {
        if ((uint)length > (uint)MaxMessageLength)
        {
            ThrowNotLength(length);
        }
    }

    [DoesNotReturn]
    private void ThrowTooLong(ReadOnlySpan<byte> message) => throw new ArgumentException(
        $"The message has {message.Length} bytes; the longest that the ring \"{Name}\" takes has {MaxMessageLength}.", nameof(message));

    [DoesNotReturn]
    private void ThrowNotLength(int length) => throw new ArgumentOutOfRangeException(
        nameof(length), length,
        $"A message in the ring \"{Name}\" has 0 to {MaxMessageLength} bytes, half the ring's capacity.");
}

using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <summary>
/// Messages from one process to another through shared memory: one writer, one reader, in order, each complete or not there.
/// </summary>
/// <remarks>
/// <para>One process makes the ring, the others open it by its name, as with <see cref="SharedRegion"/>, whose names it shares. Who writes
/// first becomes its writer, who reads first its reader (or who calls <see cref="AttachWriter"/>, <see cref="AttachReader"/>), maker or
/// not, and stays that until it disposes the ring or ends. Another process, or another ring of the same one, is refused meanwhile. One
/// object may be both.</para>
/// <para>When both sides are busy there is no system call, and a message costs one copy on each side, or none:
/// <see cref="BeginWrite"/> gives room in the ring itself, <see cref="BeginRead"/> the message where it lies. Who finds the ring empty or
/// full spins for some 20 µs, then sleeps until the other wakes it. A thread is held as long; there is no asynchronous form, as no system
/// can wait so without one.</para>
/// <para>A process that ends at whatever moment leaves the ring whole. What it published is there; what it had begun is not. A successor
/// attaches and goes on where it stopped: a writer behind the last message published, a reader at the first that was not passed. A reader
/// that dies between having read a message and passing it leaves it to its successor, which so gets it a second time. Who would wait for a
/// process that is gone gets a <see cref="SharedPeerLostException"/> instead. Processes in containers with process ids of their own cannot
/// know of each other whether they live, and wait.</para>
/// <para>Whatever stands in the shared memory, no process is made to read or write outside of it by it: a header or record that cannot be
/// is refused with an <see cref="InvalidDataException"/>. Bytes of a message seen through <see cref="BeginRead"/> may change while they are
/// looked at, if the writer is not one of Tarn's.</para>
/// <para>Writing is for one thread at a time, and so is reading; one thread may write while another reads. What is noticed of a second one
/// throws <see cref="InvalidOperationException"/>, but it need not be. <see cref="Dispose"/> is safe at any time from any thread: who waits
/// inside gets an <see cref="ObjectDisposedException"/>. Spans given out before must not be used after it. A ring that is forgotten, not
/// disposed, while a message is begun stays mapped until the process ends, so the span of that message stays valid.</para>
/// </remarks>
public sealed unsafe class SharedRing : IDisposable
{
    private readonly SharedRegion _region;
    private readonly SharedSignal _data;
    private readonly SharedSignal _space;
    private readonly RingWriter _writer;
    private readonly RingReader _reader;
    private int _isDisposed;

    private SharedRing(SharedRegion region)
    {
        _region = region;
        Capacity = RingHeader.CapacityOf(region.Size)
            ?? throw new InvalidDataException($"The ring \"{region.Name}\" cannot be opened: no ring has a region of {region.Size} bytes.");
        RingHeader* header = Header;
        string signalName = RegionNames.ToFileName(region.Name);
        _data = SharedSignal.Create(signalName + ".data", &header->Data.Signal);
        _space = SharedSignal.Create(signalName + ".space", &header->Space.Signal);
        _writer = new RingWriter(this, header, _space, _data);
        _reader = new RingReader(this, header, _data, _space);
    }

    /// <summary>
    /// Gives up the places of a ring that was forgotten. Where a message is begun, its span may still be in use: the memory stays mapped
    /// until the process ends.
    /// </summary>
    ~SharedRing()
    {
        // Null after a constructor that threw.
        if (_reader is not null && (_reader.HasBegun || _writer.HasBegun))
        {
            _region.PinAt(0);
        }

        Close();
    }

    /// <summary>The name it was made with.</summary>
    public string Name => _region.Name;

    /// <summary>
    /// How many bytes of messages it holds, each rounded up to a multiple of 8 and with 8 more: what was asked for, rounded up to a power
    /// of two of at least 64.
    /// </summary>
    public int Capacity { get; }

    /// <summary>The length of the longest message, in bytes: half the capacity.</summary>
    public int MaxMessageLength => RingHeader.LongestMessage(Capacity);

    /// <summary>The process that writes; 0 if there is none, because none has written yet, or it disposed its ring or died.</summary>
    /// <exception cref="ObjectDisposedException">The ring was disposed.</exception>
    public int WriterProcessId => ProcessIdOf(_writer);

    /// <summary>The process that reads; 0 if there is none, because none has read yet, or it disposed its ring or died.</summary>
    /// <exception cref="ObjectDisposedException">The ring was disposed.</exception>
    public int ReaderProcessId => ProcessIdOf(_reader);

    /// <summary>The beginning of its bytes.</summary>
    internal RingHeader* Header => (RingHeader*)_region.Pointer;

    /// <summary>Creates an empty ring. Other processes see the complete ring or none.</summary>
    /// <param name="name">Its name, not in use by a region or ring; as with <see cref="SharedRegion"/>.</param>
    /// <param name="capacity">
    /// How many bytes of messages it is to hold, from 1 to 1 GiB; see <see cref="Capacity"/>. The ring takes half as much memory again.
    /// </param>
    /// <param name="options">
    /// How; null for the defaults, with which the name goes when this process disposes the ring: then no successor of the other can open it
    /// any more, but who has it open goes on.
    /// </param>
    /// <returns>The ring, this process's to dispose.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is not a valid name.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is not from 1 to 1 GiB.</exception>
    /// <exception cref="IOException">
    /// The name is in use; or the system does not have that much shared memory; or the system refuses for another reason.
    /// </exception>
    /// <exception cref="UnauthorizedAccessException">The system denies the process access.</exception>
    /// <exception cref="OutOfMemoryException">The process does not have that much address space.</exception>
    public static SharedRing Create(string name, int capacity, SharedRegionOptions? options = null) =>
        Create(NamedMemory.Current, name, capacity, options);

    /// <summary>Opens a ring. The process that created it may have exited.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="options">Whose may be opened; null for the defaults. Nothing else of them counts: the ring is as it was made.</param>
    /// <returns>The ring, this process's to dispose; the name stays.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is not a valid name.</exception>
    /// <exception cref="FileNotFoundException">There is no ring of that name.</exception>
    /// <exception cref="InvalidDataException">
    /// The file of that name is not a ring, has another version, or is truncated; the message says which.
    /// </exception>
    /// <exception cref="IOException">The system refuses for another reason.</exception>
    /// <exception cref="UnauthorizedAccessException">
    /// The system denies the process access to it; or another user made it, and the options do not allow that.
    /// </exception>
    /// <exception cref="OutOfMemoryException">The process does not have that much address space.</exception>
    public static SharedRing Open(string name, SharedRegionOptions? options = null) =>
        Over(SharedRegion.Open(NamedMemory.Current, name, RegionKind.Ring, options));

    /// <summary>Becomes the writer now, instead of with the first write. Nothing happens if it is already.</summary>
    /// <exception cref="InvalidOperationException">Another process is the writer, or another ring of this one.</exception>
    /// <exception cref="InvalidDataException">The ring is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The ring was disposed.</exception>
    public void AttachWriter() => _writer.Attach();

    /// <summary>Becomes the reader now, instead of with the first read. Nothing happens if it is already.</summary>
    /// <exception cref="InvalidOperationException">Another process is the reader, or another ring of this one.</exception>
    /// <exception cref="InvalidDataException">The ring is corrupted.</exception>
    /// <exception cref="ObjectDisposedException">The ring was disposed.</exception>
    public void AttachReader() => _reader.Attach();

    /// <summary>Writes a message if there is room.</summary>
    /// <param name="message">The message, of length 0 too.</param>
    /// <returns>Whether there was; if not, nothing was written.</returns>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public bool TryWrite(ReadOnlySpan<byte> message)
    {
        ThrowIfTooLong(message);
        return _writer.TryWrite(message);
    }

    /// <summary>Writes a message, and waits until there is room for it.</summary>
    /// <param name="message">The message, of length 0 too.</param>
    /// <param name="cancellationToken">Ends the wait; nothing was written then.</param>
    /// <exception cref="ArgumentException">The message is longer than <see cref="MaxMessageLength"/>.</exception>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    /// <exception cref="SharedPeerLostException">There is no room, and the reader has exited, which is reported once.</exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public void Write(ReadOnlySpan<byte> message, CancellationToken cancellationToken = default)
    {
        ThrowIfTooLong(message);
        cancellationToken.ThrowIfCancellationRequested();
        _writer.Write(message, cancellationToken);
    }

    /// <summary>Gives room for a message in the ring itself, if there is; <see cref="EndWrite"/> publishes it.</summary>
    /// <param name="length">The most bytes the message will have.</param>
    /// <param name="message">Where they go; its contents are left from before. Valid until the next call that writes.</param>
    /// <returns>Whether there was room.</returns>
    /// <remarks>A message that was begun and is not ended is forgotten with the next call that writes.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than <see cref="MaxMessageLength"/>.
    /// </exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public bool TryBeginWrite(int length, out Span<byte> message)
    {
        ThrowIfNotLength(length);
        return _writer.TryBegin(length, out message);
    }

    /// <summary>Gives room for a message in the ring itself, and waits until there is; <see cref="EndWrite"/> publishes it.</summary>
    /// <param name="length">The most bytes the message will have.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Where they go; its contents are left from before. Valid until the next call that writes.</returns>
    /// <remarks>A message that was begun and is not ended is forgotten with the next call that writes.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than <see cref="MaxMessageLength"/>.
    /// </exception>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    /// <exception cref="SharedPeerLostException">There is no room, and the reader has exited, which is reported once.</exception>
    /// <inheritdoc cref="AttachWriter" path="/exception"/>
    public Span<byte> BeginWrite(int length, CancellationToken cancellationToken = default)
    {
        ThrowIfNotLength(length);
        cancellationToken.ThrowIfCancellationRequested();
        return _writer.Begin(length, cancellationToken);
    }

    /// <summary>Publishes the message that was begun.</summary>
    /// <param name="length">Its length: no more than was asked for.</param>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative or more than was asked for; it can be ended still.
    /// </exception>
    /// <exception cref="InvalidOperationException">None is begun.</exception>
    /// <exception cref="ObjectDisposedException">The ring was disposed.</exception>
    public void EndWrite(int length) => _writer.End(length);

    /// <summary>Reads the next message if there is one.</summary>
    /// <param name="destination">Where it goes.</param>
    /// <param name="length">The message's length, copied into <paramref name="destination"/>; 0 when there is none.</param>
    /// <returns>Whether there was one.</returns>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than the message, which stays.</exception>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public bool TryRead(Span<byte> destination, out int length) => _reader.TryRead(destination, out length);

    /// <summary>Reads the next message, and waits until there is one.</summary>
    /// <param name="destination">Where it goes.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message's length.</returns>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is shorter than the message, which stays.</exception>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    /// <exception cref="SharedPeerLostException">All messages are read, and the writer has exited, which is reported once.</exception>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public int Read(Span<byte> destination, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return _reader.Read(destination, cancellationToken);
    }

    /// <summary>Shows the next message where it lies, if there is one; <see cref="EndRead"/> passes it.</summary>
    /// <param name="message">The message. Valid until the next call that reads.</param>
    /// <returns>Whether there was one.</returns>
    /// <remarks>A message that is not passed is the next one again.</remarks>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public bool TryBeginRead(out ReadOnlySpan<byte> message) => _reader.TryBegin(out message);

    /// <summary>Shows the next message where it lies, and waits until there is one; <see cref="EndRead"/> passes it.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The message. Valid until the next call that reads.</returns>
    /// <remarks>A message that is not passed is the next one again.</remarks>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    /// <exception cref="SharedPeerLostException">All messages are read, and the writer has exited, which is reported once.</exception>
    /// <inheritdoc cref="AttachReader" path="/exception"/>
    public ReadOnlySpan<byte> BeginRead(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return _reader.Begin(cancellationToken);
    }

    /// <summary>Passes the message that was begun to be read: its room is the writer's again.</summary>
    /// <exception cref="InvalidOperationException">None is begun.</exception>
    /// <exception cref="ObjectDisposedException">The ring was disposed.</exception>
    public void EndRead() => _reader.End();

    /// <summary>
    /// Lets the places of writer and reader go that this object has, and unmaps the ring. What was published and not read stays for who has
    /// the ring open, or opens it while its name is there. A second time is harmless.
    /// </summary>
    public void Dispose()
    {
        Close();
        GC.SuppressFinalize(this);
    }

    internal static SharedRing Create(NamedMemory names, string name, int capacity, SharedRegionOptions? options = null)
    {
        if (capacity is <= 0 or > RingHeader.MostCapacity)
        {
            throw new ArgumentOutOfRangeException(
                nameof(capacity), capacity, $"The capacity must lie between 1 and {RingHeader.MostCapacity} bytes.");
        }

        long size = RingHeader.RegionSize(RingHeader.RoundUp(capacity));
        return Over(SharedRegion.Create(names, name, size, options, RegionKind.Ring));
    }

    /// <summary>Checks the equations of <see cref="RingHeader"/>; for tests, while nobody writes or reads.</summary>
    /// <exception cref="InvalidOperationException">One does not hold; the message says which.</exception>
    internal void Validate() => RingHeader.Validate(Header, Capacity);

    private static SharedRing Over(SharedRegion region)
    {
        try
        {
            return new SharedRing(region);
        }
        catch
        {
            region.Dispose();
            throw;
        }
    }

    /// <summary>Another thread may dispose the ring meanwhile: the header stays mapped as long.</summary>
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
        // Null after a constructor that threw.
        if (_reader is null || Interlocked.Exchange(ref _isDisposed, 1) != 0)
        {
            return;
        }

        // Both first, and the places last: who waits inside is told that the ring was disposed, not that its other side has left.
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
        $"The length of a message must lie between 0 and {MaxMessageLength}, half the capacity of the ring \"{Name}\".");
}

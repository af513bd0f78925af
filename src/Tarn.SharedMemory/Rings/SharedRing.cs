namespace Tarn.SharedMemory;

/// <summary>
/// Carries messages from one process to another through shared memory: one writer, one reader, in order, each message complete or absent.
/// </summary>
/// <remarks>
/// <para>One process creates the ring, and others open it by name. Names are shared with <see cref="SharedRegion"/>. The first process to
/// write becomes the writer, and the first to read the reader; <see cref="AttachWriter"/> and <see cref="AttachReader"/> take a role at
/// once. It does not matter which process created the ring. A process keeps its role until it disposes the ring or ends. Until then, the
/// ring refuses the role to other processes and to other ring objects of the same process. One object may have both roles.</para>
/// <para>While both sides are busy, no call reaches the operating system, and each side copies a message once or not at all:
/// <see cref="TryBeginWrite"/> returns room in the ring itself, and <see cref="TryBeginRead"/> returns the message in place. Calls whose
/// names begin with Try wait for nothing. Others wait, if they may, for a timeout: a side that finds the ring empty or full spins for about
/// 20 µs, then sleeps until the other side wakes it. They hold their threads; those whose names end in Async do not.</para>
/// <para>A process that ends at any moment leaves the ring intact. The messages it published remain; a message it had only begun is lost. A
/// successor attaches and continues: a writer after the last published message, a reader at the first message that was not passed. If a
/// reader ends between reading a message and passing it, its successor reads that message again. A call that would wait for an exited
/// process throws <see cref="SharedPeerLostException"/>, or waits for its successor if <see cref="AwaitSuccessor"/> is set. Where either
/// side may restart, both set that, and call <see cref="CreateOrOpen(string, int, SharedRegionOptions?, bool)"/> with
/// <see cref="SharedRegionOptions.DeleteOnDispose"/> set to false.</para>
/// <para>On Linux, processes in containers with separate process ids see each other's exits if they share /dev/shm. Where this process
/// cannot see whether the other one runs, because the system has no locks for it, or the other one runs under another kernel, a call waits
/// for 30 seconds and then throws <see cref="TimeoutException"/>.</para>
/// <para>No contents of the shared memory make a process read or write outside it: an impossible header or record throws
/// <see cref="InvalidDataException"/>. If the writer is not Tarn, the bytes of a message returned by <see cref="TryBeginRead"/> may change
/// while they are read.</para>
/// <para>Only one thread may write at a time, and only one may read; one thread may write while another reads. A second thread in the same
/// role throws <see cref="InvalidOperationException"/> if the ring detects it, which is not guaranteed. A wait that was not awaited to
/// its end counts as a thread. <see cref="Dispose"/> is safe at any time, from any thread: a waiting call then throws
/// <see cref="ObjectDisposedException"/>. Do not use spans obtained earlier after
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

    /// <summary>
    /// Whether a call that waits for an exited process waits for its successor, and throws no <see cref="SharedPeerLostException"/>; false
    /// by default. For services of which either side may restart at any time. The call still throws when the ring's name was removed,
    /// because no successor can open the ring then.
    /// </summary>
    public bool AwaitSuccessor { get; set; }

    /// <summary>
    /// Whether a task that awaits this ring may continue on the thread that waits; false by default, when the thread pool continues it.
    /// True saves the wake of a second thread, most of the time that a message takes to a task that sleeps. The code that continues there,
    /// up to its next await of something that has not come, holds up all waits of this process with this setting: it must neither block nor
    /// take long. The option of the same name of <see cref="System.Threading.Channels.ChannelOptions"/> is alike. It counts for the waits
    /// that begin after it was set.
    /// </summary>
    public bool AllowSynchronousContinuations { get; set; }

    /// <summary>The region that contains the ring.</summary>
    internal SharedRegion Region => _region;

    /// <summary>Whether a disposal has begun.</summary>
    internal bool IsDisposed => Volatile.Read(ref _isDisposed) != 0;

    /// <summary>The side that writes, for what writes bytes.</summary>
    internal RingWriter Writer => _writer;

    /// <summary>The side that reads, for what reads bytes.</summary>
    internal RingReader Reader => _reader;

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
}

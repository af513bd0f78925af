using System.Diagnostics.CodeAnalysis;

namespace Tarn.SharedMemory;

/// <summary>
/// Carries messages through shared memory from one writer to any number of readers, threads and processes: every message to each of them,
/// complete or not at all.
/// </summary>
/// <remarks>
/// <para>One process creates the topic, and others open it by name. Names are shared with <see cref="SharedRegion"/>. The first object to
/// write becomes the writer, until it is disposed or its process ends; <see cref="AttachWriter"/> takes the role at once. A writer that
/// ends at any moment leaves complete messages only, and its successor continues behind them. A message that was begun and not published is
/// gone.</para>
/// <para><see cref="OpenReader"/> makes a reader, which has a position of its own. A topic keeps its last messages, as many as its
/// <see cref="Capacity"/>. A reader that falls farther behind is overtaken: it goes on with a later message, and
/// <see cref="SharedTopicReader.LostCount"/> tells exactly how many it did not get. Such readers cost the writer nothing, and there may be
/// any number of them. A reader that is opened to hold the writer back loses nothing: the writer waits for it. Up to 60 readers may do
/// so.</para>
/// <para>No call waits for longer than its timeout, whatever other processes do. A reader whose process ended holds nobody back for longer
/// than it takes to find that out, which is a tenth of a second for a writer that waits. A process that is stopped has not ended.</para>
/// <para>On Linux, processes in containers with separate process ids see each other's exits if they share /dev/shm. Where the writer cannot
/// see whether a reader's process runs, because the system has no locks for it, or it runs under another kernel, that reader holds it
/// back.</para>
/// <para>No contents of the shared memory make a process read or write outside it: an impossible header or message throws
/// <see cref="InvalidDataException"/>. If the writer is not Tarn, any message may change while it is read.</para>
/// <para>One thread at a time may write. <see cref="Dispose"/> is safe at any time, from any thread: a waiting call, also of a reader, then
/// throws <see cref="ObjectDisposedException"/>. Do not use spans obtained earlier after disposal. A topic that is forgotten while a
/// message is begun stays open until the process ends, so the message's span remains valid.</para>
/// </remarks>
public sealed unsafe partial class SharedTopic : IDisposable
{
    private readonly SharedRegion _region;
    private readonly SharedSignal _data;
    private readonly SharedSignal _space;
    private readonly TopicWriter _writer;

    private readonly Lock _lock = new();

    /// <summary>The readers of this object that are not closed; changed under the lock.</summary>
    private readonly List<TopicReader> _readers = [];
    private int _isDisposed;

    private SharedTopic(SharedRegion region)
    {
        _region = region;
        Capacity = TopicHeader.CapacityOf(region.Size, region.Longest)
            ?? throw new InvalidDataException(
                $"The topic \"{region.Name}\" cannot be opened: no topic has a region of {region.Size} bytes and messages of up to "
                    + $"{region.Longest} bytes.");
        RegionSharers sharers = new(region, &Header->Namespace, &Header->HasManyKernels);
        Members = new RegionMembers(sharers, Header->Members);
        string signalName = RegionNames.ToFileName(region.Name);
        _data = SharedSignal.Create(signalName + ".data", &Header->Data.Signal);
        _space = SharedSignal.Create(signalName + ".space", &Header->Space.Signal);
        Slots = new TopicSlots(Name, Header, Capacity, MaxMessageLength, _space);
        _writer = new TopicWriter(this, Slots, new RegionRole(sharers, &Header->Writer, RegionSeat.Writer), _data, _space);
    }

    /// <summary>
    /// Gives up the role of a forgotten topic. If a message is in progress, its span may still be in use, so the memory stays mapped until
    /// the process ends. Readers, which are forgotten as well, see to themselves.
    /// </summary>
    ~SharedTopic()
    {
        // Null if the constructor threw.
        if (_writer is null)
        {
            return;
        }

        if (_writer.HasBegun)
        {
            KeepUntilExit();
        }
        else
        {
            _writer.BeginClosing();
            _writer.Close();
        }
    }

    /// <summary>The name it was created with.</summary>
    public string Name => _region.Name;

    /// <summary>
    /// The messages the topic keeps, exactly as requested: a reader that is no farther behind the writer loses none, and a reader that
    /// holds the writer back stops it there.
    /// </summary>
    public int Capacity { get; }

    /// <summary>The length of the longest message, in bytes, exactly as requested.</summary>
    public int MaxMessageLength => _region.Longest;

    /// <summary>A value that no other topic has: two topics that had the same name one after the other differ in it.</summary>
    public Guid Id => _region.Id;

    /// <summary>The messages that were published since the topic was created: the position of the next one.</summary>
    /// <exception cref="ObjectDisposedException">The topic was disposed.</exception>
    public long Position => Get(static topic => Volatile.Read(ref topic.Header->Tail));

    /// <summary>The id of the writing process; 0 if no process has written yet, or the writer disposed its topic or exited.</summary>
    /// <exception cref="ObjectDisposedException">The topic was disposed.</exception>
    public int WriterProcessId => Get(static topic => topic._writer.ProcessId);

    /// <summary>
    /// The readers that hold the writer back, in all processes, as far as they are not known to be gone. Asks the system. Nobody counts the
    /// other readers.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The topic was disposed.</exception>
    public int HoldingReaderCount => Get(static topic => topic.Members.Count);

    /// <summary>
    /// Whether a task that awaits this topic, or a reader of it, may continue on the thread that waits; false by default, when the thread
    /// pool continues it. True saves the wake of a second thread, most of the time that a message takes to a task that sleeps. The code
    /// that continues there, up to its next await of something that has not come, holds up all waits of this process with this setting: it
    /// must neither block nor take long. The option of the same name of <see cref="System.Threading.Channels.ChannelOptions"/> is alike. It
    /// counts for the waits that begin after it was set.
    /// </summary>
    public bool AllowSynchronousContinuations { get; set; }

    /// <summary>The calls inside, but for those that write or read.</summary>
    internal CallsInside Calls { get; } = new();

    internal RegionMembers Members { get; }

    internal TopicSlots Slots { get; }

    /// <summary>The topic's header, at the beginning of the region.</summary>
    internal TopicHeader* Header => (TopicHeader*)_region.Pointer;

    /// <summary>Takes the writer's role now rather than with the first write. Does nothing if this object has it.</summary>
    /// <exception cref="InvalidOperationException">
    /// Another process, or another object of this process, is the writer; or another thread writes at the same time.
    /// </exception>
    /// <exception cref="InvalidDataException">The topic is corrupted.</exception>
    /// <exception cref="IOException">The system refuses.</exception>
    /// <exception cref="ObjectDisposedException">The topic was disposed.</exception>
    public void AttachWriter()
    {
        EnterWriter();
        try
        {
            _writer.Attach();
        }
        finally
        {
            _writer.Leave();
        }
    }

    /// <summary>
    /// Gives up the role and the readers that this object has, and unmaps the topic. Messages remain for every process that has the topic
    /// open, or opens it while its name exists. A second call does nothing.
    /// </summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
        {
            return;
        }

        GC.SuppressFinalize(this);
        Calls.BeginClosing();
        Calls.AwaitNobody();
        _writer.BeginClosing();
        _writer.Close();
        using (_lock.Hold())
        {
            _readers.ForEach(static reader => reader.Close());
            _readers.Clear();
        }

        _data.Dispose();
        _space.Dispose();
        _region.Dispose();
    }

    /// <summary>Ends a reader, unless it is ended.</summary>
    internal void Close(TopicReader reader)
    {
        using (_lock.Hold())
        {
            reader.Close();
            _readers.Remove(reader);
        }
    }

    /// <summary>Ends the membership of a reader.</summary>
    internal void Leave(int member)
    {
        Slots.EndAllOf(member);
        Members.Leave(member);
    }

    internal void KeepUntilExit() => _region.KeepUntilExit();

    /// <summary>Checks the equations of <see cref="TopicHeader"/>; for tests, while no call is inside.</summary>
    /// <exception cref="InvalidOperationException">An equation does not hold; the message names it.</exception>
    internal void Validate() => Slots.Validate();

    private void Enter()
    {
        if (!Calls.TryEnter())
        {
            ThrowClosed();
        }
    }

    private T Get<T>(Func<SharedTopic, T> get)
    {
        Enter();
        try
        {
            return get(this);
        }
        finally
        {
            Calls.Leave();
        }
    }

    internal void EnterWriter()
    {
        if (!_writer.TryEnter())
        {
            ThrowRefused();
        }
    }

    [DoesNotReturn]
    private void ThrowRefused()
    {
        if (_writer.IsClosing)
        {
            ThrowClosed();
        }

        throw new InvalidOperationException(
            $"Two threads write to the topic \"{Name}\" at the same time, or a call came before the end of a wait that holds no thread. "
                + "Let one thread at a time write, and await each wait.");
    }

    [DoesNotReturn]
    private void ThrowClosed() => throw new ObjectDisposedException(nameof(SharedTopic), $"The topic \"{Name}\" was disposed.");
}

using System.Diagnostics.CodeAnalysis;

namespace Tarn.SharedMemory;

/// <summary>
/// Carries messages through shared memory from any number of writers to any number of readers, threads and processes: each message to one
/// reader, complete or not at all.
/// </summary>
/// <remarks>
/// <para>One process creates the queue, and others open it by name. Names are shared with <see cref="SharedRegion"/>. Each object may write
/// and read, from any threads at the same time. Up to 60 objects may have a queue open at once.</para>
/// <para>Messages come in the order in which their writers took room for them, so those of one thread come in its order. A queue holds a
/// fixed number of messages, each with room for the longest. While all sides are busy, no call reaches the operating system. Where there is
/// one writer and one reader, a <see cref="SharedRing"/> is faster, and takes messages of different lengths without waste.</para>
/// <para>No call waits for longer than its timeout, whatever other processes do. A process that ends at any moment leaves the queue intact.
/// The messages that it published remain. A message that it had begun to write is skipped, and counted by <see cref="SkippedCount"/>. A
/// message that it had begun to read goes to another reader, which may get it after later ones; <see cref="ReturnedCount"/> counts these.
/// So only a message whose reader ends before it passed the message comes twice. Calls that find nothing to do look for such processes, ten
/// times a second.</para>
/// <para>A process that is stopped, not ended, while it writes a message holds back the readers, and while it reads one, the writers as
/// soon as the queue is full. Their calls end at their timeouts.</para>
/// <para>On Linux, processes in containers with separate process ids see each other's exits if they share /dev/shm. Where this process
/// cannot see whether another one runs, because the system has no locks for it, or the other one runs under another kernel, what that one
/// had begun stays as it is.</para>
/// <para>No contents of the shared memory make a process read or write outside it: an impossible header or message throws
/// <see cref="InvalidDataException"/>. If a writer is not Tarn, the bytes of a message returned by
/// <see cref="TryBeginRead"/> may change while they are read.</para>
/// <para><see cref="Dispose"/> is safe at any time, from any thread: a waiting call then throws <see cref="ObjectDisposedException"/>. Do
/// not use spans obtained earlier after disposal. A queue that is forgotten while a message is begun stays open until the process ends, so
/// the message's span remains valid.</para>
/// </remarks>
#pragma warning disable CA1711 // it is a queue; only collections may have the name, says the rule, and this is none that can be enumerated
public sealed unsafe partial class SharedQueue : IDisposable
#pragma warning restore CA1711
{
    private readonly SharedRegion _region;
    private readonly SharedSignal _data;
    private readonly SharedSignal _space;
    private readonly QueueSide _writers;
    private readonly QueueSide _readers;
    private readonly int _member;
    private int _isDisposed;

    private SharedQueue(SharedRegion region)
    {
        _region = region;
        Capacity = QueueHeader.CapacityOf(region.Size, region.Longest)
            ?? throw new InvalidDataException(
                $"The queue \"{region.Name}\" cannot be opened: no queue has a region of {region.Size} bytes and messages of up to "
                    + $"{region.Longest} bytes.");
        MaxMessageLength = region.Longest;
        Members = new RegionMembers(
            new RegionSharers(region, &Header->Namespace, &Header->HasManyKernels), Header->Members);
        _member = Members.Join()
            ?? throw new InvalidOperationException(
                $"The queue \"{Name}\" has {RegionHeader.MostMembers} members, and takes no more: dispose one of them, or share one among "
                    + "the threads of a process.");
        string signalName = RegionNames.ToFileName(region.Name);
        _data = SharedSignal.Create(signalName + ".data", &Header->Data.Signal);
        _space = SharedSignal.Create(signalName + ".space", &Header->Space.Signal);
        Slots = new QueueSlots(Name, Header, Capacity, MaxMessageLength, _member, _data, _space);
        Slots.EndAllOf(_member);
        _writers = new QueueSide(this, isWriter: true, &Header->Space, _space);
        _readers = new QueueSide(this, isWriter: false, &Header->Data, _data);
    }

    /// <summary>
    /// Gives up the membership of a forgotten queue. If a message is in progress, its span may still be in use, so this stays a member
    /// until the process ends.
    /// </summary>
    ~SharedQueue()
    {
        // Null if the constructor threw.
        if (_readers is not null && Slots.HasAnyOf(_member))
        {
            _region.KeepUntilExit();
            return;
        }

        Close();
    }

    /// <summary>The name it was created with.</summary>
    public string Name => _region.Name;

    /// <summary>The messages the queue holds: the requested number, rounded up to a power of two of at least 2.</summary>
    public int Capacity { get; }

    /// <summary>The length of the longest message, in bytes, exactly as requested.</summary>
    public int MaxMessageLength { get; }

    /// <summary>A value that no other queue has: two queues that had the same name one after the other differ in it.</summary>
    public Guid Id => _region.Id;

    /// <summary>
    /// The messages that were never published because their writers ended, or disposed the queue, while they wrote them. Counts for all
    /// processes since the queue was created. One that ends while it counts may leave one uncounted.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public long SkippedCount => Get(static queue => Volatile.Read(ref queue.Header->Skipped));

    /// <summary>
    /// How often a message went back into the queue because the reader that had taken it ended, or disposed it, before it passed the
    /// message. Counts for all processes since the queue was created. One that ends while it counts may leave one uncounted.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public long ReturnedCount => Get(static queue => Volatile.Read(ref queue.Header->Returned));

    /// <summary>The objects that have the queue open, in all processes, as far as they are not known to be gone. Asks the system.</summary>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public int MemberCount => Get(static queue => queue.Members.Count);

    /// <summary>
    /// Whether a task that awaits this queue may continue on the thread that waits; false by default, when the thread pool continues it.
    /// True saves the wake of a second thread, most of the time that a message takes to a task that sleeps. The code that continues there,
    /// up to its next await of something that has not come, holds up all waits of this process with this setting: it must neither block nor
    /// take long. The option of the same name of <see cref="System.Threading.Channels.ChannelOptions"/> is alike. It counts for the waits
    /// that begin after it was set.
    /// </summary>
    public bool AllowSynchronousContinuations { get; set; }

    /// <summary>The calls inside.</summary>
    internal CallsInside Calls { get; } = new();

    internal RegionMembers Members { get; }

    internal QueueSlots Slots { get; }

    /// <summary>Its writers in this process; for tests.</summary>
    internal QueueSide Writers => _writers;

    /// <summary>Its readers in this process; for tests.</summary>
    internal QueueSide Readers => _readers;

    /// <summary>The queue's header, at the beginning of the region.</summary>
    internal QueueHeader* Header => (QueueHeader*)_region.Pointer;

    /// <summary>
    /// Ends what this object began and did not end, and unmaps the queue. Messages remain for every process that has the queue open, or
    /// opens it while its name exists. A second call does nothing.
    /// </summary>
    public void Dispose()
    {
        Close();
        GC.SuppressFinalize(this);
    }

    /// <summary>Checks the equations of <see cref="QueueHeader"/>; for tests, while no call is inside.</summary>
    /// <exception cref="InvalidOperationException">An equation does not hold; the message names it.</exception>
    internal void Validate() => Slots.Validate();

    private T Get<T>(Func<SharedQueue, T> get)
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

    internal void Enter()
    {
        if (!Calls.TryEnter())
        {
            ThrowClosed();
        }
    }

    private void Close()
    {
        // Null if the constructor threw.
        if (_readers is null || Interlocked.Exchange(ref _isDisposed, 1) != 0)
        {
            return;
        }

        Calls.BeginClosing();
        _writers.WakeThis();
        _readers.WakeThis();
        Calls.AwaitNobody();
        Slots.EndAllOf(_member);
        Members.Leave(_member);
        _data.Dispose();
        _space.Dispose();
        _region.Dispose();
    }

    [DoesNotReturn]
    private void ThrowClosed() => throw new ObjectDisposedException(nameof(SharedQueue), $"The queue \"{Name}\" was disposed.");
}

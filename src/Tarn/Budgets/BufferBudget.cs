namespace Tarn;

/// <summary>A limit on bytes in use that refuses more or makes callers wait, alone or as the child of another budget.</summary>
/// <remarks>
/// <para>The caps of pools and heaps limit idle memory only. A budget limits what is handed out:</para>
/// <code>
/// BufferBudget all = new(512 &lt;&lt; 20, "all");
/// BufferBudget tenant = all.CreateChild(64 &lt;&lt; 20, "tenant");
/// using IMemoryOwner&lt;byte&gt; owner = await tenant.LeaseMemoryAsync(pool, length, cancellation);
/// </code>
/// <para>Bytes taken from a child are taken from its parents too, so a child is never above its own limit nor above theirs. Three ways
/// lead to bytes: <see cref="TryTake(long)"/>, <see cref="Take(long)"/>, which throws, and
/// <see cref="TakeAsync(long, CancellationToken)"/>, which waits. <see cref="Return"/> gives them back.</para>
/// <para>Each budget serves requests in the order of their arrival. While one waits, no later one passes it, by whichever way it comes, so
/// large requests do not starve. Only where the first cannot be served before the owner of a later one, such as a stream, has returned its
/// bytes, that one passes. A request waits at one budget at a time, from the one that was asked upwards; where it waits for a
/// parent, its bytes are reserved below. So a child at its own limit does not hold up its siblings.</para>
/// <para><see cref="TryTake(long, TimeSpan, CancellationToken)"/> waits too, and blocks its thread. The bytes that the caller holds are not
/// returned meanwhile. The budget knows what streams hold, and refuses a request rather than let all of them wait for each other. It does
/// not know what other callers hold: where all of them wait for more, none goes on until the first wait is over.</para>
/// <para>All members are safe to call from any thread. A budget has no disposal, and neither has a child: it lives as long as something
/// refers to it. Each owner that took bytes of it does, and each request that waits, so that they find it when they return. A parent refers
/// to none of its children, and <see cref="List"/> to no budget. So a child of each client is ended by the end of what the client has, and
/// needs no other care. Bytes that are never returned stay in use, here and at all parents, also when the budget that they were taken from
/// was collected.</para>
/// </remarks>
public sealed partial class BufferBudget : IBudgetSource
{
    /// <summary>The longest that a timer can wait, and a thread.</summary>
    private static readonly TimeSpan s_longestTimeout = TimeSpan.FromMilliseconds(uint.MaxValue - 1);
    private static readonly TimeSpan s_longestBlock = TimeSpan.FromMilliseconds(int.MaxValue);

    private readonly BudgetTree _tree;
    private long _inUse;
    private long _refused;
    private TimeSpan _longestWait;

    /// <summary>Whether the present long wait was told. Only <see cref="BudgetWatch"/> uses it.</summary>
    private bool _hasToldWait;

    /// <summary>Creates a budget without a parent.</summary>
    /// <param name="limit">The most bytes in use at once.</param>
    /// <param name="name">The name in exceptions and metrics. If it is empty, the budget is named after its limit.</param>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="limit"/> is zero or negative.</exception>
    public BufferBudget(long limit, string name = "")
        : this(limit, name, parent: null)
    {
    }

    private BufferBudget(long limit, string name, BufferBudget? parent)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(limit);
        ArgumentNullException.ThrowIfNull(name);
        Limit = limit;
        Name = name.Length > 0 ? name : $"BufferBudget({limit})";
        Parent = parent;
        _tree = parent?._tree ?? new BudgetTree();
        BudgetSources.Add(this);
    }

    /// <summary>The name in exceptions and metrics.</summary>
    public string Name { get; }

    /// <summary>The most bytes in use at once.</summary>
    public long Limit { get; }

    /// <summary>The budget that this one is a part of; null for none.</summary>
    public BufferBudget? Parent { get; }

    /// <summary>
    /// The bytes taken and not returned, and those reserved for requests that wait for a parent. Never above <see cref="Limit"/>.
    /// </summary>
    public long InUse => Volatile.Read(ref _inUse);

    /// <summary>The number of requests made to this budget that wait, for it or for a parent.</summary>
    public int Waiting => Volatile.Read(ref _waiting);

    /// <summary>The number of requests made to this budget that were refused so far.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>The longest wait so far of a request to this budget, whether it ended with a grant or without.</summary>
    public TimeSpan LongestWait
    {
        get
        {
            using (_tree.Lock.Hold())
            {
                return _longestWait;
            }
        }
    }

    /// <summary>
    /// How long the request to this budget has waited that waits longest, for it or for a parent; zero if none waits.
    /// </summary>
    public TimeSpan OldestWait
    {
        get
        {
            using (_tree.Lock.Hold())
            {
                return FindOldestWait();
            }
        }
    }

    /// <summary>The lowest limit from here upwards.</summary>
    internal long LeastLimit => Parent is null ? Limit : Math.Min(Limit, Parent.LeastLimit);

    /// <summary>Creates a budget that is a part of this one.</summary>
    /// <remarks>
    /// Nobody has to end the child: drop it when its owners have ended, such as the streams, writers and leases of a client.
    /// <see cref="InUse"/> of the child is 0 then. What the program took itself and has not returned stays in use at this budget when the
    /// child is dropped. Return it before, to the child.
    /// </remarks>
    /// <param name="limit">
    /// The most bytes in use at once. The limits of children may together be above this budget's, which then decides.
    /// </param>
    /// <param name="name">The name in exceptions and metrics. If it is empty, the budget is named after its limit.</param>
    /// <returns>The child.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="limit"/> is zero or negative.</exception>
    public BufferBudget CreateChild(long limit, string name = "") => new(limit, name, this);

    /// <summary>Takes bytes if there is room and no request waits.</summary>
    /// <param name="bytes">The bytes to take.</param>
    /// <returns>Whether they were taken. Then pass them to <see cref="Return"/> once.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bytes"/> is negative.</exception>
    public bool TryTake(long bytes)
    {
        if (bytes < 0)
        {
            Throw.Negative(nameof(bytes), bytes);
        }

        _tree.Lock.Enter();
        bool isTaken = TryTakeFromAll(bytes);
        if (!isTaken)
        {
            _refused++;
        }

        _tree.Lock.Exit();
        return isTaken;
    }

    /// <summary>Takes bytes, and blocks the thread a limited time if there is no room or another request waits.</summary>
    /// <remarks>
    /// The request has its place among those that wait, whichever call made them. <see cref="Thread.Interrupt"/> ends the wait, and a
    /// request that ended so has taken nothing. Do not wait on a thread that others need to return their bytes: with asynchronous code
    /// use <see cref="TakeAsync(long, TimeSpan, CancellationToken)"/>.
    /// </remarks>
    /// <param name="bytes">The bytes to take.</param>
    /// <param name="timeout">The longest wait, or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <param name="cancellationToken">Ends the wait. A request that ended takes nothing.</param>
    /// <returns>
    /// Whether they were taken. Then pass them to <see cref="Return"/> once. False at once if they are above the limit of this budget or of
    /// a parent, because the wait would never end.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="bytes"/> or <paramref name="timeout"/> is negative, or the timeout is above 24 days.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="ThreadInterruptedException">The thread was interrupted.</exception>
    public bool TryTake(long bytes, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        VerifyTimeout(nameof(timeout), timeout, s_longestBlock);
        cancellationToken.ThrowIfCancellationRequested();
        return TryTake(bytes, new BudgetTerms { Timeout = timeout, Cancellation = cancellationToken });
    }

    /// <summary>Takes bytes, or throws if there is no room or another request waits.</summary>
    /// <param name="bytes">The bytes to take. Pass them to <see cref="Return"/> once.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bytes"/> is negative.</exception>
    /// <exception cref="BufferBudgetExceededException">There is no room, here or at a parent. Nothing was taken.</exception>
    public void Take(long bytes)
    {
        if (!TryTake(bytes))
        {
            throw ExceededBy(bytes, held: 0, TimeSpan.Zero);
        }
    }

    /// <summary>Takes bytes on an owner's terms, and throws if there is no room in time.</summary>
    /// <exception cref="BufferBudgetExceededException">There was no room, here or at a parent. Nothing was taken.</exception>
    internal void Take(long bytes, in BudgetTerms terms)
    {
        if (!TryTake(bytes, terms))
        {
            throw ExceededBy(bytes, terms.Held, terms.Timeout);
        }
    }

    /// <summary>Takes bytes for a caller that waits if there is no room, so that this is no refusal.</summary>
    /// <exception cref="BufferBudgetExceededException">There is no room. Nothing was taken.</exception>
    internal void TakeAtOnce(long bytes)
    {
        _tree.Lock.Enter();
        bool isTaken = TryTakeFromAll(bytes);
        _tree.Lock.Exit();
        if (!isTaken)
        {
            throw ExceededBy(bytes, held: 0, TimeSpan.Zero);
        }
    }

    /// <summary>Takes bytes, and waits for them if there is no room or another request waits.</summary>
    /// <param name="bytes">The bytes to take. Pass them to <see cref="Return"/> once.</param>
    /// <param name="cancellationToken">Ends the wait. A request that ended takes nothing.</param>
    /// <returns>A task that ends when the bytes are taken. Await it once.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bytes"/> is negative.</exception>
    /// <exception cref="BufferBudgetExceededException">
    /// <paramref name="bytes"/> is above the limit of this budget or of a parent, so the wait would never end.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    public ValueTask TakeAsync(long bytes, CancellationToken cancellationToken = default) =>
        TakeAsync(bytes, Timeout.InfiniteTimeSpan, cancellationToken);

    /// <summary>Takes bytes, and waits a limited time for them if there is no room or another request waits.</summary>
    /// <param name="bytes">The bytes to take. Pass them to <see cref="Return"/> once.</param>
    /// <param name="timeout">The longest wait, or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <param name="cancellationToken">Ends the wait. A request that ended takes nothing.</param>
    /// <returns>A task that ends when the bytes are taken. Await it once.</returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="bytes"/> or <paramref name="timeout"/> is negative, or the timeout is above 49 days.
    /// </exception>
    /// <exception cref="BufferBudgetExceededException">
    /// The bytes were not there in time, or <paramref name="bytes"/> is above the limit of this budget or of a parent, so the wait would
    /// never end.
    /// </exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    public ValueTask TakeAsync(long bytes, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        if (bytes < 0)
        {
            Throw.Negative(nameof(bytes), bytes);
        }

        VerifyTimeout(nameof(timeout), timeout, s_longestTimeout);
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        _tree.Lock.Enter();
        bool isTaken = TryTakeFromAll(bytes);
        _tree.Lock.Exit();
        return isTaken ? default : WaitAsync(bytes, new BudgetTerms { Timeout = timeout, Cancellation = cancellationToken });
    }

    /// <summary>Gives bytes back that were taken from this budget, and grants them to requests that wait.</summary>
    /// <param name="bytes">The bytes, all of those taken at once or a part.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="bytes"/> is negative.</exception>
    /// <exception cref="InvalidOperationException">Fewer bytes are in use. Nothing was returned.</exception>
    public void Return(long bytes)
    {
        if (bytes < 0)
        {
            Throw.Negative(nameof(bytes), bytes);
        }

        _tree.Lock.Enter();
        bool isWaitedFor = false;
        for (BufferBudget? budget = this; budget is not null; budget = budget.Parent)
        {
            if (budget._inUse < bytes)
            {
                _tree.Lock.Exit();
                throw ReturnedTooMuch(budget, bytes);
            }

            isWaitedFor |= budget._queue.First is not null;
        }

        for (BufferBudget? budget = this; budget is not null; budget = budget.Parent)
        {
            budget._inUse -= bytes;
        }

        _tree.Lock.Exit();
        if (isWaitedFor)
        {
            Serve();
        }
    }

    /// <inheritdoc/>
    bool IBudgetSource.TellLongWait(TimeSpan longWait)
    {
        BudgetSnapshot now = ((IBudgetSource)this).GetSnapshot();
        bool isLong = now.OldestWait >= longWait && now.Waiting > 0;
        if (isLong && !_hasToldWait)
        {
            TarnEventSource.Log?.BudgetWaitIsLong(
                now.Name, now.Limit, now.InUse, now.Waiting, (long)now.OldestWait.TotalMicroseconds);
        }

        _hasToldWait = isLong;
        return now.Waiting > 0;
    }

    /// <inheritdoc/>
    BudgetSnapshot IBudgetSource.GetSnapshot()
    {
        using (_tree.Lock.Hold())
        {
            return new BudgetSnapshot(Name, Limit, _inUse, _waiting, _refused, _deadlocks, _longestWait, FindOldestWait());
        }
    }

    private TimeSpan FindOldestWait() =>
        _own.First is { } oldest ? TimeProvider.System.GetElapsedTime(oldest.Since) : TimeSpan.Zero;

    private bool TryTake(long bytes, in BudgetTerms terms)
    {
        if (bytes < 0 || terms.Timeout == TimeSpan.Zero)
        {
            return TryTake(bytes);
        }

        _tree.Lock.Enter();
        bool isTaken = TryTakeFromAll(bytes);
        _tree.Lock.Exit();
        if (isTaken || TryBlock(bytes, terms))
        {
            return true;
        }

        CountRefusal();
        return false;
    }

    private static void VerifyTimeout(string name, TimeSpan timeout, TimeSpan longest)
    {
        if ((timeout < TimeSpan.Zero && timeout != Timeout.InfiniteTimeSpan) || timeout > longest)
        {
            throw new ArgumentOutOfRangeException(
                name, timeout, $"A timeout must lie between zero and {longest}, or be Timeout.InfiniteTimeSpan.");
        }
    }

    private static InvalidOperationException ReturnedTooMuch(BufferBudget budget, long bytes) =>
        new($"{bytes} bytes were returned to the budget {budget.Name}, where {budget.InUse} are in use: return what was taken, once.");

    /// <summary>Takes bytes here and at all parents, or nowhere. Under the lock.</summary>
    private bool TryTakeFromAll(long bytes)
    {
        if (bytes != 0 && FindFull(bytes) is not null)
        {
            return false;
        }

        for (BufferBudget? budget = this; budget is not null; budget = budget.Parent)
        {
            budget._inUse += bytes;
        }

        return true;
    }

    /// <summary>The first budget from here upwards that has no room for a new request, or null. Under the lock.</summary>
    private BufferBudget? FindFull(long bytes)
    {
        BufferBudget? budget = this;
        while (budget is not null && budget._queue.First is null && bytes <= budget.Limit - budget._inUse)
        {
            budget = budget.Parent;
        }

        return budget;
    }
}

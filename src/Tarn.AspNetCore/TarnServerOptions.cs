namespace Tarn;

/// <summary>The options of <c>services.AddTarn</c>. Every setting has a default that suits a server.</summary>
/// <remarks>
/// The application reads them once, when it starts, as <c>IOptions&lt;TarnServerOptions&gt;</c>. Until then
/// <c>services.Configure&lt;TarnServerOptions&gt;</c> can change them, as a test may. Changing an instance after that has no effect.
/// </remarks>
public sealed class TarnServerOptions
{
    /// <summary>The least cap: room for one large and a few small blocks, in use and idle.</summary>
    private const long LeastPooledBytes = 1 << 20;

    private static readonly TimeSpan s_defaultBudgetTimeout = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_longestBudgetTimeout = TimeSpan.FromDays(1);

    /// <summary>
    /// The hard cap on the pooled blocks of each asker, such as Kestrel, in bytes: blocks in use and idle blocks together. At least 1 MiB.
    /// Null, the default, selects an eighth of the machine's or container's memory limit.
    /// </summary>
    /// <remarks>
    /// Half of the cap is for blocks in use and half for idle ones. From three quarters of its half on, a pool hands out blocks of 4 KiB
    /// instead of 64 KiB. When its half is used up, it hands out unpooled blocks, which go to the garbage collector: every request is still
    /// answered.
    /// </remarks>
    public long? MaxPooledBytes { get; set; }

    /// <summary>
    /// The time a block or array may be idle before its pool gives it up, 10 seconds by default. The pool gives it up within twice this
    /// time. With <see cref="Timeout.InfiniteTimeSpan"/> a pool keeps idle memory until memory is scarce.
    /// </summary>
    public TimeSpan IdleTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Whether to set the switch <c>Tarn.IdleCollection</c> of the process when the application starts. Without a collection the process's
    /// resident memory stays after a burst, because a server without requests allocates too little to cause one.
    /// </summary>
    /// <remarks>
    /// The library then collects after each burst, when all pools of the process have given up what they kept and the server is idle.
    /// The collection stops all threads, for tens of milliseconds with a small heap.
    /// </remarks>
    public bool CollectWhenIdle { get; set; } = true;

    /// <summary>
    /// Whether to register the <c>IMemoryPoolFactory&lt;byte&gt;</c> that Kestrel, HTTP.sys, IIS and the named-pipe transport ask. The call
    /// of <c>AddTarn</c> decides it.
    /// </summary>
    public bool PoolServerBlocks { get; set; } = true;

    /// <summary>
    /// Whether to register the <c>ArrayPool&lt;byte&gt;</c> and <c>ArrayPool&lt;char&gt;</c> that MVC takes from the container. The call of
    /// <c>AddTarn</c> decides it.
    /// </summary>
    public bool PoolArrays { get; set; } = true;

    /// <summary>
    /// The budget that <see cref="RequestBuffers"/> takes the memory of its leases and streams from; null, the default, for no limit on the
    /// bytes in use. At the limit <see cref="RequestBuffers.Lease{T}(int)"/> and writes to streams throw
    /// <see cref="BufferBudgetExceededException"/>, and their asynchronous forms wait up to <see cref="RequestBudgetTimeout"/>.
    /// </summary>
    public BufferBudget? RequestBudget { get; set; }

    /// <summary>
    /// The longest time that a call of <see cref="RequestBuffers"/> or of its streams waits for room in the <see cref="RequestBudget"/>,
    /// 10 seconds by default and at most a day. Then it throws <see cref="BufferBudgetExceededException"/>. Zero never waits.
    /// </summary>
    /// <remarks>
    /// A request that waits keeps what it has, and its server may not see that the client has gone, because it reads nothing meanwhile.
    /// So each wait has an end. It ends earlier when the request is aborted or its services are disposed.
    /// </remarks>
    public TimeSpan RequestBudgetTimeout { get; set; } = s_defaultBudgetTimeout;

    /// <summary>
    /// The time after which a client may ask again whose request ended with a <see cref="BufferBudgetExceededException"/>: the answer is
    /// then 503 with <c>Retry-After</c> in whole seconds. It is 413 for a request that asked for more than the budget can ever grant. Null,
    /// the default, leaves the exception to the application.
    /// </summary>
    /// <remarks>
    /// The answer is the same where the application has an exception handler or the developer's page, and where the exception is wrapped.
    /// An <c>IExceptionHandler</c> or <c>StatusCodeSelector</c> of the application that chooses a status other than 500 decides itself, as
    /// does code that catches the exception. A response that has begun is aborted. The body is empty, or has problem details where the
    /// application has called <c>AddProblemDetails</c>.
    /// </remarks>
    public TimeSpan? RetryAfter { get; set; }

    /// <summary>The checks that the pools make. By default, the environment variable <c>TARN_CHECKS</c> decides.</summary>
    public BufferChecks Checks { get; set; } = BufferChecks.FromEnvironment;

    /// <summary>The cap of a pool in bytes, whether it was chosen or not.</summary>
    internal long PooledBytes =>
        MaxPooledBytes ?? Math.Max(LeastPooledBytes, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 8);

    /// <summary>The settings that are out of range: the name of each, and a message with its value and the range.</summary>
    internal IEnumerable<(string Setting, string Message)> FindFaults()
    {
        if (MaxPooledBytes < LeastPooledBytes)
        {
            yield return (
                nameof(MaxPooledBytes),
                $"{nameof(MaxPooledBytes)} is {MaxPooledBytes}: it must be at least {LeastPooledBytes} bytes, or null.");
        }

        if (IdleTimeout <= TimeSpan.Zero && IdleTimeout != Timeout.InfiniteTimeSpan)
        {
            yield return (
                nameof(IdleTimeout), $"{nameof(IdleTimeout)} is {IdleTimeout}: it must be more than zero, or Timeout.InfiniteTimeSpan.");
        }

        if (RequestBudgetTimeout < TimeSpan.Zero || RequestBudgetTimeout > s_longestBudgetTimeout)
        {
            yield return (
                nameof(RequestBudgetTimeout),
                $"{nameof(RequestBudgetTimeout)} is {RequestBudgetTimeout}: it must be from zero to {s_longestBudgetTimeout}.");
        }

        if (RetryAfter <= TimeSpan.Zero)
        {
            yield return (nameof(RetryAfter), $"{nameof(RetryAfter)} is {RetryAfter}: it must be more than zero, or null.");
        }
    }

    /// <summary>The settings that have no effect beside others, which is known when all that configures the options has run.</summary>
    internal IEnumerable<string> FindContradictions()
    {
        if (RequestBudget is null && RetryAfter is not null)
        {
            yield return WithoutBudget(nameof(RetryAfter), RetryAfter);
        }

        if (RequestBudget is null && RequestBudgetTimeout != s_defaultBudgetTimeout)
        {
            yield return WithoutBudget(nameof(RequestBudgetTimeout), RequestBudgetTimeout);
        }
    }

    /// <exception cref="ArgumentException">A setting is out of range; the message names it, its value and the range.</exception>
    internal void Verify(string argumentName)
    {
        foreach ((_, string message) in FindFaults())
        {
            throw new ArgumentException(message, argumentName);
        }
    }

    /// <summary>Returns other options with the same settings.</summary>
    internal TarnServerOptions Copy() => (TarnServerOptions)MemberwiseClone();

    /// <summary>Takes the settings in which one of two options differs from the other.</summary>
    internal void Take(TarnServerOptions changed, TarnServerOptions from)
    {
        MaxPooledBytes = Changed(MaxPooledBytes, changed.MaxPooledBytes, from.MaxPooledBytes);
        IdleTimeout = Changed(IdleTimeout, changed.IdleTimeout, from.IdleTimeout);
        CollectWhenIdle = Changed(CollectWhenIdle, changed.CollectWhenIdle, from.CollectWhenIdle);
        PoolServerBlocks = Changed(PoolServerBlocks, changed.PoolServerBlocks, from.PoolServerBlocks);
        PoolArrays = Changed(PoolArrays, changed.PoolArrays, from.PoolArrays);
        RequestBudget = Changed(RequestBudget, changed.RequestBudget, from.RequestBudget);
        RequestBudgetTimeout = Changed(RequestBudgetTimeout, changed.RequestBudgetTimeout, from.RequestBudgetTimeout);
        RetryAfter = Changed(RetryAfter, changed.RetryAfter, from.RetryAfter);
        Checks = Changed(Checks, changed.Checks, from.Checks);
    }

    private static T Changed<T>(T present, T changed, T from) =>
        EqualityComparer<T>.Default.Equals(changed, from) ? present : changed;

    private static string WithoutBudget(string setting, TimeSpan? value) =>
        $"{setting} is {value}, which has no effect because {nameof(RequestBudget)} is null: set {nameof(RequestBudget)}, or leave out "
        + $"{setting}.";

    /// <summary>The options of a pool of arrays.</summary>
    internal BufferPoolOptions ForArrays(string name, long? maxRetainedBytes) => new()
    {
        Name = name,
        MaxRetainedBytes = maxRetainedBytes,
        IdleTimeout = IdleTimeout,
        Checks = Checks,
    };
}

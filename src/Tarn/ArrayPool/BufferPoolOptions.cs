namespace Tarn;

/// <summary>How a <see cref="BufferPool{T}"/> behaves; every setting has a default that suits a server.</summary>
public sealed record BufferPoolOptions
{
    /// <summary>Names the pool in metrics, events and reports; an empty name is replaced by the element type's.</summary>
    public string Name { get; init; } = "";

    /// <summary>
    /// Longer requests (in elements) are allocated, and dropped when they come back. 1 to 2^30, the default; rounded up to the next size
    /// class.
    /// </summary>
    public int MaxArrayLength { get; init; } = SizeClass.MaxLength;

    /// <summary>
    /// Hard cap on idle bytes, thread caches counted; null chooses an eighth of the machine's or container's memory limit. 0 keeps
    /// nothing.
    /// </summary>
    public long? MaxRetainedBytes { get; init; }

    /// <summary>
    /// The most idle arrays of one length to keep, thread caches counted; null, the default, leaves it to <see cref="MaxRetainedBytes"/>.
    /// </summary>
    public int? MaxArraysPerLength { get; init; }

    /// <summary>
    /// 4 (the default) keeps slack at or under 20 %; 1 gives the power-of-two lengths of the BCL's pools, with up to 50 %; 2 lies
    /// between, with up to 33 %.
    /// </summary>
    public int SizeClassesPerDoubling { get; init; } = 4;

    /// <summary>
    /// How long a buffer may lie idle before it is given up; it goes within twice this time, without a garbage collection.
    /// <see cref="Timeout.InfiniteTimeSpan"/> keeps buffers until a trim is asked for or memory is scarce. 30 seconds by default.
    /// </summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Allocate on the pinned object heap: addresses never change, at the price of slower allocation.</summary>
    public bool Pinned { get; init; }

    /// <summary>When buffers are cleared; by default when <c>Return</c> asks.</summary>
    public BufferClearing Clearing { get; init; } = BufferClearing.OnRequest;

    /// <summary>What is verified; by default what the environment variable <c>TARN_CHECKS</c> says.</summary>
    public BufferChecks Checks { get; init; } = BufferChecks.FromEnvironment;

    /// <summary>The clock that ages idle buffers; tests bring their own.</summary>
    internal TrimClock? Clock { get; init; }

    /// <exception cref="ArgumentException">A setting is out of its range; the message names it and its value.</exception>
    internal void Verify(string argumentName)
    {
        Throw.UnlessAllowed(Name is not null, argumentName, nameof(Name), "null", "text");
        Throw.UnlessAllowed(
            MaxArrayLength is > 0 and <= SizeClass.MaxLength, argumentName, nameof(MaxArrayLength), MaxArrayLength, "1 to 2^30");
        Throw.UnlessAllowed(
            MaxRetainedBytes is null or >= 0, argumentName, nameof(MaxRetainedBytes), MaxRetainedBytes, "0 or more, or null");
        Throw.UnlessAllowed(
            MaxArraysPerLength is null or > 0, argumentName, nameof(MaxArraysPerLength), MaxArraysPerLength, "1 or more, or null");
        Throw.UnlessAllowed(
            SizeClassesPerDoubling is 1 or 2 or 4, argumentName, nameof(SizeClassesPerDoubling), SizeClassesPerDoubling, "1, 2 or 4");
        Throw.UnlessAllowed(
            IdleTimeout > TimeSpan.Zero || IdleTimeout == Timeout.InfiniteTimeSpan,
            argumentName, nameof(IdleTimeout), IdleTimeout, "more than zero, or Timeout.InfiniteTimeSpan");
        Throw.UnlessAllowed(Enum.IsDefined(Clearing), argumentName, nameof(Clearing), Clearing, "a named value");
        _ = BufferChecksEnvironment.Resolve(Checks, argumentName);
    }
}

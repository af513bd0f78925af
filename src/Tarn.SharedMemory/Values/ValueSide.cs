namespace Tarn.SharedMemory;

/// <summary>The readers of a shared value in this process, as they wait for the next one.</summary>
/// <remarks>Any number of threads and processes wait on one word, so only the writer clears the note that somebody sleeps.</remarks>
internal sealed unsafe class ValueSide : WaitingSide
{
    private readonly string _name;
    private readonly ValueHeader* _header;
    private readonly CallsInside _calls;

    /// <param name="name">The value's name, for messages.</param>
    /// <param name="header">Its header, mapped while this object is in use.</param>
    /// <param name="calls">The calls inside.</param>
    /// <param name="signal">The word to sleep on.</param>
    internal ValueSide(string name, ValueHeader* header, CallsInside calls, SharedSignal signal)
        : base(&header->Change, signal)
    {
        _name = name;
        _header = header;
        _calls = calls;
    }

    /// <summary>What <see cref="GoesOnInline"/> is.</summary>
    internal bool IsInline { get; set; }

    internal override bool GoesOnInline => IsInline;

    /// <inheritdoc/>
    internal override void Leave() => _calls.Leave();

    /// <inheritdoc/>
    internal override void NoteAwake()
    {
    }

    /// <inheritdoc/>
    internal override void ThrowIfOver(long limit, long start, CancellationToken cancellationToken)
    {
        if (_calls.IsClosing)
        {
            throw new ObjectDisposedException(nameof(SharedValue<int>), $"The value \"{_name}\" was disposed while this call waited.");
        }

        cancellationToken.ThrowIfCancellationRequested();
    }

    /// <summary>Waits until the version is beyond the limit; false if it is late.</summary>
    /// <inheritdoc cref="WaitingSide.ThrowIfOver" path="/exception"/>
    internal bool WaitUntil(long limit, long deadline, CancellationToken cancellationToken)
    {
        bool hasCome;
        while (!(hasCome = HasCome(limit)) && TryWait(limit, deadline, cancellationToken))
        {
        }

        return hasCome;
    }

    /// <summary>The same without a thread. The call is inside until the task ends.</summary>
    internal ValueTask WaitAsync(long limit, CancellationToken cancellationToken) => SleepAsync(limit, cancellationToken);

    /// <inheritdoc/>
    protected override bool HasCome(long limit) => Volatile.Read(ref _header->Version) > limit;

    /// <inheritdoc/>
    protected override bool MaySleep() => !_calls.IsClosing;
}

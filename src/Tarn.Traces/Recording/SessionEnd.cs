namespace Tarn.Traces;

/// <summary>Ends a session when its time is over, when it is asked to, or when a token is cancelled, whichever comes first.</summary>
/// <remarks>
/// Never on the thread that asks, or that made this: a process ends a session only when the rest of its events has been read, and that
/// thread may be the one that reads them.
/// </remarks>
internal sealed class SessionEnd : IDisposable
{
    private readonly CancellationTokenSource _end = new();
    private readonly CancellationTokenSource _late = new();
    private readonly CancellationTokenRegistration _stop;
    private readonly CancellationTokenRegistration _time;
    private readonly CancellationTokenRegistration _request;

    /// <param name="stop">Ends the session. It is called at most once.</param>
    /// <param name="time">The longest time; null for no end.</param>
    /// <param name="cancellationToken">Ends the session, also if it was cancelled before.</param>
    internal SessionEnd(Action stop, TimeSpan? time, CancellationToken cancellationToken)
    {
        _stop = _end.Token.Register(stop);
        _time = _late.Token.Register(() =>
        {
            IsByTime = !_end.IsCancellationRequested;
            Begin();
        });
        _request = cancellationToken.Register(Begin);
        if (time is { } longest)
        {
            _late.CancelAfter(longest > TimeSpan.Zero ? longest : TimeSpan.Zero);
        }
    }

    /// <summary>Whether its time was over first.</summary>
    internal bool IsByTime { get; private set; }

    /// <summary>Ends the session soon.</summary>
    internal void Begin() => _ = _end.CancelAsync();

    /// <summary>Waits until the session has been ended, if that has begun. From now on nothing ends it.</summary>
    public void Dispose()
    {
        _request.Dispose();
        _time.Dispose();
        _stop.Dispose();
        _late.Dispose();
        _end.Dispose();
    }
}

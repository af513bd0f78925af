using System.Diagnostics.Metrics;
using Tarn.Diagnostics;

namespace Tarn;

/// <summary>Counts pooled streams while someone looks at the page, because streams are counted only while a listener is attached.</summary>
/// <remarks>All members are safe to call from any thread.</remarks>
internal sealed class StreamWatch : IDisposable
{
    /// <summary>The time without a look after which the listener is detached.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(15);

    private readonly TimeProvider _time;
    private readonly Lock _lock = new();
    private readonly ITimer _timer;

    /// <summary>The listener, while someone looks. Guarded by the lock.</summary>
    private MeterListener? _listener;
    private DateTimeOffset _since;
    private bool _isDisposed;

    private long _created;
    private long _disposed;
    private long _bytes;

    public StreamWatch()
        : this(TimeProvider.System)
    {
    }

    internal StreamWatch(TimeProvider time)
    {
        _time = time;
        _timer = time.CreateTimer(
            static watch => ((StreamWatch)watch!).StopInTime(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Whether a listener is attached.</summary>
    internal bool IsWatching
    {
        get
        {
            lock (_lock)
            {
                return _listener is not null;
            }
        }
    }

    /// <summary>Returns the counts since the first of these looks, and counts on for a while.</summary>
    internal StreamCounts Look()
    {
        lock (_lock)
        {
            if (!_isDisposed)
            {
                Start();
                _timer.Change(s_patience, Timeout.InfiniteTimeSpan);
            }

            return new StreamCounts(_since, Volatile.Read(ref _created), Volatile.Read(ref _disposed), Volatile.Read(ref _bytes));
        }
    }

    public void Dispose()
    {
        lock (_lock)
        {
            _isDisposed = true;
        }

        Stop();
        _timer.Dispose();
    }

    private void Start()
    {
        if (_listener is not null)
        {
            return;
        }

        _since = _time.GetUtcNow();
        (_created, _disposed, _bytes) = (0, 0, 0);
        _listener = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Meter.Name == BufferDiagnostics.MeterName
                    && instrument.Name.StartsWith("tarn.streams.", StringComparison.Ordinal))
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        _listener.SetMeasurementEventCallback<long>(Count);
        _listener.Start();
    }

    private void Count(Instrument instrument, long value, ReadOnlySpan<KeyValuePair<string, object?>> tags, object? state)
    {
        switch (instrument.Name)
        {
            case "tarn.streams.created":
                Interlocked.Add(ref _created, value);
                break;
            case "tarn.streams.disposed":
                Interlocked.Add(ref _disposed, value);
                break;
            case "tarn.streams.length":
                Interlocked.Add(ref _bytes, value);
                break;
        }
    }

    private void StopInTime()
    {
        try
        {
            Stop();
        }
        catch (OutOfMemoryException)
        {
            // Even waiting for a lock may allocate, and an exception in a timer's callback ends the process. The next look sets the timer.
        }
    }

    private void Stop()
    {
        lock (_lock)
        {
            _listener?.Dispose();
            _listener = null;
        }
    }
}

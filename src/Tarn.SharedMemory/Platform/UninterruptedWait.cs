namespace Tarn.SharedMemory;

/// <summary>
/// A wait of many short steps that another thread's <see cref="Thread.Interrupt"/> does not end: code that must finish what it began takes
/// these. The interrupt takes effect at the next wait of the thread after that.
/// </summary>
internal sealed class UninterruptedWait : IDisposable
{
    private SpinWait _spin;
    private bool _wasInterrupted;

    /// <summary>Waits a moment: longer after some steps.</summary>
    internal void Once()
    {
        try
        {
            _spin.SpinOnce();
        }
        catch (ThreadInterruptedException)
        {
            _wasInterrupted = true;
        }
    }

    /// <summary>Passes an interrupt on.</summary>
    public void Dispose()
    {
        if (_wasInterrupted)
        {
            Thread.CurrentThread.Interrupt();
        }
    }
}

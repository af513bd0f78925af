namespace Tarn.SharedMemory;

/// <summary>Windows: holds the right to remove a name. It passes on when the process that holds it ends.</summary>
internal sealed class NameMutex : IDisposable
{
    private static readonly TimeSpan s_most = TimeSpan.FromSeconds(5);

    private readonly Mutex _mutex;

    /// <param name="name">The file's name, for which the mutex is.</param>
    /// <exception cref="IOException">Another process holds it for long.</exception>
    internal NameMutex(string name)
    {
        _mutex = new Mutex(initiallyOwned: false, $@"Local\{name}.name");
        if (!IsTaken())
        {
            _mutex.Dispose();
            throw new IOException($"{name} was not removed: another process, perhaps a stopped one, has held its lock for {s_most}.");
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _mutex.ReleaseMutex();
        _mutex.Dispose();
    }

    private bool IsTaken()
    {
        try
        {
            return _mutex.WaitOne(s_most);
        }
        catch (AbandonedMutexException)
        {
            // Whoever held it ended; a removal has no intermediate state that matters.
            return true;
        }
    }
}

namespace Tarn;

/// <summary>A word in shared memory on which a process sleeps until another process wakes it: one contract, one file a system.</summary>
/// <remarks>
/// <para>Who sleeps reads the word first, then looks once more whether there is something to wait for, then sleeps on what it read. Who
/// wakes makes the reason, then changes the word, then wakes. So no wake is lost: the word has changed, or the sleeper sleeps
/// already.</para>
/// <para>Whoever maps the word may write anything to it. All a sleeper must expect is to wake for no reason, or only after its time.</para>
/// <para>All members are safe to call from any thread.</para>
/// </remarks>
internal abstract unsafe class SharedSignal : IDisposable
{
    /// <param name="name">Every process that shares the word uses this name, and none other.</param>
    /// <param name="word">The word, aligned, mapped until the signal is disposed.</param>
    internal static SharedSignal Create(string name, uint* word) =>
        OperatingSystem.IsLinux() ? new LinuxSharedSignal(word)
        : OperatingSystem.IsMacOS() ? new MacSharedSignal(word)
        : OperatingSystem.IsWindows() ? new WindowsSharedSignal(name)
        : throw SupportedProcess.UnknownSystem("Shared rings");

    /// <summary>
    /// Sleeps if the word is <paramref name="seen"/> still, until somebody wakes, at most so long; may return earlier for no reason.
    /// </summary>
    internal abstract void Wait(uint seen, int milliseconds);

    /// <summary>Wakes all who sleep. The word was changed before.</summary>
    internal abstract void Wake();

    /// <summary>Nobody may sleep on it through this object any more.</summary>
    public abstract void Dispose();
}

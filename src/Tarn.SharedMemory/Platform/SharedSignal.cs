namespace Tarn.SharedMemory;

/// <summary>
/// A word in shared memory on which a process sleeps until another process wakes it: one contract, with one file for each system.
/// </summary>
/// <remarks>
/// <para>A sleeper reads the word, checks once more that it must wait, and then sleeps on the value it read. A waker makes the sleeper's
/// condition true, changes the word, and then wakes. So no wake is lost: either the word has changed, or the sleeper already sleeps.</para>
/// <para>Any process that maps the word may write anything to it. The worst effect on a sleeper is a wake without reason, or only after its
/// timeout.</para>
/// <para>All members are safe to call from any thread.</para>
/// </remarks>
internal abstract unsafe class SharedSignal(uint* word) : IDisposable
{
    internal uint* Word { get; } = word;

    /// <param name="name">A name that all processes that share the word use, and no others.</param>
    /// <param name="word">The word, aligned, mapped until the signal is disposed.</param>
    internal static SharedSignal Create(string name, uint* word) =>
        OperatingSystem.IsLinux() ? new LinuxSharedSignal(word)
        : OperatingSystem.IsMacOS() ? new MacSharedSignal(word)
        : OperatingSystem.IsWindows() ? new WindowsSharedSignal(name, word)
        : throw SupportedProcess.UnknownSystem("Shared rings");

    /// <summary>Sleeps while the word is <paramref name="seen"/>, until a wake or the timeout. May return earlier without reason.</summary>
    internal abstract void Wait(uint seen, int milliseconds);

    /// <summary>Wakes all that sleep on a value of the word. Change the word first.</summary>
    /// <param name="changed">The value, which the word no longer has.</param>
    internal abstract void Wake(uint changed);

    /// <summary>Disposes the signal. No thread may be sleeping through this object.</summary>
    public abstract void Dispose();
}

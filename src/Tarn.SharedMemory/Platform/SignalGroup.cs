namespace Tarn.SharedMemory;

/// <summary>What one thread sleeps on for many waits: one contract, with one file for each system.</summary>
/// <remarks>One thread calls <see cref="Wait"/>; any may call <see cref="Wake"/>.</remarks>
internal abstract class SignalGroup
{
    /// <summary>The most waits at once.</summary>
    internal abstract int Capacity { get; }

    internal static SignalGroup Create() =>
        OperatingSystem.IsLinux() && LinuxSignalGroup.IsOffered ? new LinuxSignalGroup()
        : OperatingSystem.IsWindows() ? new WindowsSignalGroup()
        : new SingleSignalGroup();

    /// <summary>
    /// Sleeps until the word of a signal is no longer <see cref="SignalWait.Seen"/>, until <see cref="Wake"/>, or until the timeout. May
    /// return earlier without reason.
    /// </summary>
    internal abstract void Wait(ReadOnlySpan<SignalWait> waits, int milliseconds);

    /// <summary>
    /// Ends the sleep, or the next one if there is none. A group that is full need not hear it before one of its waits ends.
    /// </summary>
    internal abstract void Wake();
}

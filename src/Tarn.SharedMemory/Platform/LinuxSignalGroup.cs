using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Tarn.SharedMemory;

/// <summary>Linux 5.16 and later: a sleep on up to 128 futexes. One of them is the group's own.</summary>
[SupportedOSPlatform("linux")]
#pragma warning disable CA1001 // the signal has nothing to dispose
internal sealed unsafe partial class LinuxSignalGroup : SignalGroup
#pragma warning restore CA1001
{
    /// <summary>FUTEX_WAITV_MAX.</summary>
    private const int MostWords = 128;

    /// <summary>SYS_futex_waitv, on every architecture: the C library has no function for it.</summary>
    private const nint WaitForMany = 449;

    /// <summary>FUTEX2_SIZE_U32, without FUTEX2_PRIVATE.</summary>
    private const uint SharedWord = 2;

    /// <summary>CLOCK_MONOTONIC.</summary>
    private const int Monotonic = 1;

    private const int TryAgain = 11;
    private const int Interrupted = 4;
    private const int TimedOut = 110;
    private const int Invalid = 22;
    private const long NanosecondsPerSecond = 1_000_000_000;

    /// <summary>A word that stays where it is.</summary>
    private readonly uint[] _own = GC.AllocateArray<uint>(1, pinned: true);
    private readonly LinuxSharedSignal _signal;
    private uint _seen;

    internal LinuxSignalGroup()
    {
        _signal = new LinuxSharedSignal((uint*)Marshal.UnsafeAddrOfPinnedArrayElement(_own, 0));
    }

    /// <summary>Whether the kernel has the call, and no filter of a sandbox refuses it. No words are an invalid argument.</summary>
    internal static bool IsOffered { get; } =
        Futexes(WaitForMany, null, 0, 0, null, Monotonic) < 0 && Marshal.GetLastPInvokeError() == Invalid;

    /// <inheritdoc/>
    internal override int Capacity => MostWords - 1;

    /// <inheritdoc/>
    internal override void Wait(ReadOnlySpan<SignalWait> waits, int milliseconds)
    {
        Waiting* words = stackalloc Waiting[MostWords];
        words[0] = new Waiting(_seen, _signal.Word, SharedWord, 0);
        for (int i = 0; i < waits.Length; i++)
        {
            words[i + 1] = new Waiting(waits[i].Seen, waits[i].Signal.Word, SharedWord, 0);
        }

        LinuxSharedSignal.TimeSpec until;
        _ = ReadClock(Monotonic, &until);
        long nanoseconds = until.Nanoseconds + (milliseconds % 1000 * 1_000_000L);
        until = new(until.Seconds + (milliseconds / 1000) + (nanoseconds / NanosecondsPerSecond), nanoseconds % NanosecondsPerSecond);
        if (Futexes(WaitForMany, words, (uint)waits.Length + 1, 0, &until, Monotonic) < 0
            && Marshal.GetLastPInvokeError() is not (TryAgain or Interrupted or TimedOut))
        {
            // The kernel lacks memory, for instance.
            Thread.Sleep(1);
        }

        // Before the caller looks for what was added: an addition after that look changes the word again.
        _seen = Volatile.Read(ref _own[0]);
    }

    /// <inheritdoc/>
    internal override void Wake()
    {
        uint changed = Interlocked.Increment(ref _own[0]) - 1;
        _signal.Wake(changed);
    }

    /// <summary>struct futex_waitv.</summary>
    private readonly struct Waiting(uint seen, uint* word, uint flags, uint reserved)
    {
        internal readonly ulong Seen = seen;
        internal readonly ulong Word = (ulong)word;
        internal readonly uint Flags = flags;
        internal readonly uint Reserved = reserved;
    }

    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true)]
    private static partial nint Futexes(
        nint number, Waiting* words, uint count, uint flags, LinuxSharedSignal.TimeSpec* until, int clock);

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int ReadClock(int clock, LinuxSharedSignal.TimeSpec* time);
}

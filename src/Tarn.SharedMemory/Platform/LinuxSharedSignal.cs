using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Tarn.SharedMemory;

/// <summary>Linux: a futex that processes share, not a private one.</summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe partial class LinuxSharedSignal(uint* word) : SharedSignal(word)
{
    /// <summary>FUTEX_WAIT.</summary>
    private const int WaitWhileEqual = 0;

    /// <summary>FUTEX_WAKE.</summary>
    private const int WakeSleepers = 1;

    /// <summary>SYS_futex: the C library has no function for it.</summary>
    private static readonly nint s_futex = RuntimeInformation.ProcessArchitecture switch
    {
        Architecture.X64 => 202,
        Architecture.S390x => 238,
        Architecture.Ppc64le => 221,
        _ => 98,
    };

    /// <inheritdoc/>
    internal override void Wait(uint seen, int milliseconds)
    {
        TimeSpec most = new(milliseconds / 1000, milliseconds % 1000 * 1_000_000L);
        _ = Futex(s_futex, Word, WaitWhileEqual, seen, &most, null, 0);
    }

    /// <inheritdoc/>
    internal override void Wake(uint changed) => _ = Futex(s_futex, Word, WakeSleepers, int.MaxValue, null, null, 0);

    /// <summary>There is nothing to dispose.</summary>
    public override void Dispose()
    {
    }

    internal readonly record struct TimeSpec(long Seconds, long Nanoseconds);

    /// <summary>C declares all parameters except the first as variadic; 64-bit Linux passes both kinds alike.</summary>
    [LibraryImport("libc", EntryPoint = "syscall")]
    private static partial nint Futex(nint number, uint* word, int operation, uint value, TimeSpec* timeout, uint* other, uint unused);
}

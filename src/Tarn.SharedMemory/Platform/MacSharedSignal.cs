using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Tarn.SharedMemory;

/// <summary>
/// macOS 14.4 and later: a shared wait on an address. Earlier versions have no such call; on them the sleeper polls every millisecond.
/// </summary>
[SupportedOSPlatform("macos")]
internal sealed unsafe partial class MacSharedSignal(uint* word) : SharedSignal(word)
{
    /// <summary>OS_SYNC_WAIT_ON_ADDRESS_SHARED, and OS_SYNC_WAKE_BY_ADDRESS_SHARED.</summary>
    private const uint Shared = 1;

    /// <summary>OS_CLOCK_MACH_ABSOLUTE_TIME.</summary>
    private const uint Clock = 32;

    private static readonly bool s_isOffered = OperatingSystem.IsMacOSVersionAtLeast(14, 4);

    /// <inheritdoc/>
    internal override void Wait(uint seen, int milliseconds)
    {
        if (s_isOffered)
        {
            _ = WaitOnAddress(Word, seen, sizeof(uint), Shared, Clock, (ulong)milliseconds * 1_000_000);
            return;
        }

        long until = Environment.TickCount64 + milliseconds;
        while (Volatile.Read(ref *Word) == seen && Environment.TickCount64 < until)
        {
            Thread.Sleep(1);
        }
    }

    /// <inheritdoc/>
    internal override void Wake(uint changed)
    {
        if (s_isOffered)
        {
            _ = WakeByAddress(Word, sizeof(uint), Shared);
        }
    }

    /// <summary>There is nothing to dispose.</summary>
    public override void Dispose()
    {
    }

    [LibraryImport("libSystem", EntryPoint = "os_sync_wait_on_address_with_timeout")]
    private static partial int WaitOnAddress(uint* address, ulong value, nuint size, uint flags, uint clock, ulong nanoseconds);

    [LibraryImport("libSystem", EntryPoint = "os_sync_wake_by_address_all")]
    private static partial int WakeByAddress(uint* address, nuint size, uint flags);
}

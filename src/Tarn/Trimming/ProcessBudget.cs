using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>What all pools and heaps together may keep idle. Their <see cref="MemoryBudget"/>s draw on it in steps.</summary>
/// <remarks>
/// <para>Pools and heaps with a default cap together keep at most a quarter of the process's memory limit: each alone may keep an eighth,
/// so that two busy ones do not restrain each other, and the rest of the memory is the program's whatever their number.</para>
/// <para>A cap that the user set counts too: what is kept under it lessens what the others may keep, down to a sixteenth of the limit. All
/// that is kept under such caps is at most half of the limit, whatever their sum.</para>
/// <para>All members are safe to call from any thread.</para>
/// </remarks>
internal sealed class ProcessBudget(long memoryLimit)
{
    /// <summary>The divisor of the memory limit that gives the ceiling of what is kept under default caps.</summary>
    private const int CeilingDivisor = 4;

    /// <summary>The divisor that gives what default caps may keep whatever is kept under others.</summary>
    private const int LeastDivisor = 16;

    /// <summary>The divisor that gives the most that is kept under caps that the user set.</summary>
    private const int ChosenDivisor = 2;

    private const long LeastCeiling = 1 << 20;

    private readonly long _ceiling = Math.Max(LeastCeiling, memoryLimit / CeilingDivisor);
    private readonly long _ceilingOfChosen = Math.Max(LeastCeiling, memoryLimit / ChosenDivisor);
    private readonly long _least = Math.Max(LeastCeiling, memoryLimit / LeastDivisor);
    private Counters _counters;

    /// <summary>The bytes that all budgets have drawn.</summary>
    internal long Drawn => Volatile.Read(ref _counters.UnderDefaults) + Volatile.Read(ref _counters.UnderChosen);

    /// <summary>The most bytes that budgets with default caps may draw now.</summary>
    internal long CeilingOfDefaults => Math.Max(_least, _ceiling - Volatile.Read(ref _counters.UnderChosen));

    /// <summary>The bytes that budgets took without asking, beyond the ceilings. Sources give them up soon.</summary>
    internal long Overdrawn =>
        Math.Max(0, Volatile.Read(ref _counters.UnderDefaults) - CeilingOfDefaults)
        + Math.Max(0, Volatile.Read(ref _counters.UnderChosen) - _ceilingOfChosen);

    /// <summary>Gives a budget <paramref name="bytes"/>, all or nothing.</summary>
    internal bool TryTake(long bytes, bool isChosen)
    {
        ref long counter = ref CounterOf(isChosen);
        long drawn = Volatile.Read(ref counter);
        while (bytes <= (isChosen ? _ceilingOfChosen : CeilingOfDefaults) - drawn)
        {
            long seen = Interlocked.CompareExchange(ref counter, drawn + bytes, drawn);
            if (seen == drawn)
            {
                return true;
            }

            drawn = seen;
        }

        return false;
    }

    /// <summary>Counts bytes that a budget granted already.</summary>
    internal void Take(long bytes, bool isChosen) => Interlocked.Add(ref CounterOf(isChosen), bytes);

    /// <summary>Takes bytes back from a budget.</summary>
    internal void Return(long bytes, bool isChosen) => Take(-bytes, isChosen);

    private ref long CounterOf(bool isChosen) => ref isChosen ? ref _counters.UnderChosen : ref _counters.UnderDefaults;

    /// <summary>What threads of all pools write, in a cache line that holds nothing else.</summary>
    [StructLayout(LayoutKind.Explicit, Size = (2 * LineBytes) + 16)]
    private struct Counters
    {
        private const int LineBytes = 64;

        [FieldOffset(LineBytes)]
        internal long UnderDefaults;

        [FieldOffset(LineBytes + 8)]
        internal long UnderChosen;
    }
}

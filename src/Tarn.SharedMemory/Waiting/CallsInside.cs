using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory;

/// <summary>Counts the calls of any number of threads that are inside an object, so that closing it waits for them.</summary>
/// <remarks>
/// Threads count in places of their own, mostly. A call may leave on another thread than it entered on, so only the sum means something.
/// A call that finds the object closing leaves at once in the place where it entered, so the sum never shows less than the calls inside.
/// </remarks>
internal sealed class CallsInside
{
    /// <summary>Two cache lines, because processors fetch lines in pairs.</summary>
    private const int IntsPerPlace = 32;
    private const int Places = 16;

    private readonly int[] _counts = new int[(Places + 1) * IntsPerPlace];
    private bool _isClosing;

    internal bool IsClosing => Volatile.Read(ref _isClosing);

    private ref int Mine => ref _counts[(1 + (Environment.CurrentManagedThreadId % Places)) * IntsPerPlace];

    /// <summary>Begins a call; false if the object is closing.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryEnter()
    {
        ref int mine = ref Mine;
        Interlocked.Increment(ref mine);
        if (!Volatile.Read(ref _isClosing))
        {
            return true;
        }

        Interlocked.Decrement(ref mine);
        return false;
    }

    /// <summary>Ends a call.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Leave() => Interlocked.Decrement(ref Mine);

    /// <summary>Refuses calls from now on.</summary>
    internal void BeginClosing()
    {
        Volatile.Write(ref _isClosing, true);
        Interlocked.MemoryBarrier();
    }

    /// <summary>Waits until no call is inside. Call <see cref="BeginClosing"/> first.</summary>
    internal void AwaitNobody()
    {
        using UninterruptedWait wait = new();
        while (Sum() != 0)
        {
            TaskWaiter.StepHere();
            wait.Once();
        }
    }

    private int Sum()
    {
        int sum = 0;
        for (int place = 1; place <= Places; place++)
        {
            sum += Volatile.Read(ref _counts[place * IntsPerPlace]);
        }

        return sum;
    }
}

using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>What decides whether a call may touch the memory of a stream that another thread may be disposing.</summary>
/// <remarks>
/// <para>A hit on an array checks the limit alone, and is not counted: an array that the stream gave up meanwhile is still an array. Every
/// call that changes the segments or touches native memory enters: it is counted in <see cref="Calls"/>, and the last one to leave a
/// disposed stream returns the memory.</para>
/// <para>The heap may return native memory to the system in the middle of a copy. One thread still reads and writes it without an atomic
/// instruction, because its hits say that they run, and a Dispose on another thread waits for them. The word is the address of the
/// directory of the thread that last entered, plus 1 while its hit runs; 0 while no thread may hit. Only that thread writes it, and another
/// thread takes its place inside a call that entered. So a Dispose, which no call inside overlaps, sees whose hits are possible; its own
/// thread is in none. For another thread's, it has closed the limit and makes every processor see that: a hit either sees the limit
/// afterwards, or its word is visible.</para>
/// <para>An ended thread's directory may pass to a new thread, but an ended thread is in no hit.</para>
/// <para>One struct without references, so that its fields take no more room than they need.</para>
/// </remarks>
internal struct StreamAccess
{
    /// <summary>A limit that every read and write exceeds, even an empty one.</summary>
    internal const int Closed = -1;

    /// <summary>The most bytes that a hit copies from or to native memory, because a Dispose on another thread waits so long.</summary>
    internal const int MostHitBytes = 64 << 10;

    /// <summary>The size of the current segment, or <see cref="Closed"/>.</summary>
    internal int Limit;

    /// <summary>Whether the stream was disposed, and the calls inside.</summary>
    internal PinCount Calls;

    private nint _thread;

    /// <summary>Begins a hit, which then reads the limit; false when this thread must enter. Nothing until the end may throw.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryBeginHit(out nint self)
    {
        self = HeapThreads.Local.Directory;
        if (_thread != self || self == 0)
        {
            return false;
        }

        Volatile.Write(ref _thread, self + 1);
        return true;
    }

    /// <summary>Ends the hit of the calling thread.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void EndHit(nint self) => Volatile.Write(ref _thread, self);

    /// <summary>Allows hits to the calling thread, which has entered. A thread without a directory gets none.</summary>
    internal void AllowHits() => _thread = HeapThreads.Local.Directory;

    /// <summary>Waits until no hit runs. The limit is closed, and no call is inside.</summary>
    internal void WaitForHit()
    {
        nint thread = Volatile.Read(ref _thread) & ~1;
        if (thread == 0 || thread == HeapThreads.Local.Directory)
        {
            return;
        }

        Interlocked.MemoryBarrierProcessWide();
        while ((Volatile.Read(ref _thread) & 1) != 0)
        {
            Uninterrupted.Yield();
        }
    }
}

namespace Tarn;

/// <summary>Waits that <see cref="Thread.Interrupt"/> does not end.</summary>
/// <remarks>
/// <para>A wait for a lock throws when its thread is interrupted. Most locks of the library are taken in the middle of a change: a return
/// has counted its buffer, a cache has handed its buffers on, a source is marked as awake. An exception there would leave half of the
/// change behind, and callers return their buffers in finally blocks, where they expect none. These waits are short, as no lock is held
/// while code of others runs. So they go on, and the interrupt stays pending: it ends the thread's next wait that is not the
/// library's.</para>
/// <para><see cref="ShortLock"/> waits in the same way.</para>
/// </remarks>
internal static class Uninterrupted
{
    /// <summary>Takes a lock until the returned value is disposed.</summary>
    internal static Lock.Scope Hold(this Lock wanted)
    {
        bool wasInterrupted = false;
        while (true)
        {
            try
            {
                Lock.Scope taken = wanted.EnterScope();
                KeepPending(wasInterrupted);
                return taken;
            }
            catch (ThreadInterruptedException)
            {
                wasInterrupted = true;
            }
        }
    }

    /// <summary>Calls code of the system that changes nothing when a wait of its own is interrupted.</summary>
    internal static void Call<TState>(Action<TState> call, TState state)
    {
        bool wasInterrupted = false;
        while (true)
        {
            try
            {
                call(state);
                KeepPending(wasInterrupted);
                return;
            }
            catch (ThreadInterruptedException)
            {
                wasInterrupted = true;
            }
        }
    }

    /// <summary>As <see cref="Call"/>, for code that returns something.</summary>
    internal static TResult Get<TResult>(Func<TResult> ask)
    {
        bool wasInterrupted = false;
        while (true)
        {
            try
            {
                TResult result = ask();
                KeepPending(wasInterrupted);
                return result;
            }
            catch (ThreadInterruptedException)
            {
                wasInterrupted = true;
            }
        }
    }

    /// <summary>Lets other threads run.</summary>
    internal static void Yield() => Call(static _ => Thread.Sleep(0), 0);

    /// <summary>Interrupts this thread again after a wait that went on.</summary>
    internal static void KeepPending(bool wasInterrupted)
    {
        if (wasInterrupted)
        {
            Thread.CurrentThread.Interrupt();
        }
    }
}

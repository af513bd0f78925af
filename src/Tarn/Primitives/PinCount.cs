using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Counts the pins of owned memory, and reports when the memory may go back: after disposal, when no pin is left.</summary>
/// <remarks>
/// The word is 0 while the memory is neither disposed nor pinned. Disposal adds 1, and each pin adds 2. The call that brings the word to 1
/// returns the memory, and 1 is final. So native code that still writes through a pin never writes into another owner's memory. A negative
/// word means that one call holds the memory alone, to move it. All members are safe to call from any thread. A field of the owner, never
/// copied.
/// </remarks>
internal struct PinCount
{
    private const int Disposed = 1;
    private const int OnePin = 2;

    /// <summary>Added to a word that has it, it takes itself away again.</summary>
    private const int Alone = int.MinValue;

    private int _word;

    /// <summary>Whether the memory was disposed. Pins may be left.</summary>
    internal readonly bool IsDisposed => (Volatile.Read(in _word) & Disposed) != 0;

    /// <summary>Whether the memory was disposed and no pin is left.</summary>
    internal readonly bool IsOver => Volatile.Read(in _word) == Disposed;

    /// <summary>Disposes unpinned memory; false when it is pinned or was disposed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryDisposeUnpinned() => Interlocked.CompareExchange(ref _word, Disposed, 0) == 0;

    /// <summary>
    /// Disposes the memory once. Returns true when the caller must return the memory; false when the last unpin does, or it was disposed
    /// before.
    /// </summary>
    internal bool Dispose() => TryDispose(out bool isOver) && isOver;

    /// <summary>Disposes the memory; false when it was disposed before.</summary>
    /// <param name="isOver">Whether the caller must return the memory; otherwise the last unpin does.</param>
    internal bool TryDispose(out bool isOver)
    {
        bool isFirst = TryAdd(Disposed, out int word);
        isOver = isFirst && word == Disposed;
        return isFirst;
    }

    /// <summary>
    /// Holds memory alone until <see cref="EndAlone"/>: meanwhile pins wait, and a disposal leaves the memory to that call. False when the
    /// memory is pinned, held or disposed.
    /// </summary>
    internal bool TryHoldAlone() => Interlocked.CompareExchange(ref _word, Alone, 0) == 0;

    /// <summary>
    /// Ends <see cref="TryHoldAlone"/>. Returns true when the memory was disposed in the meantime, and the caller must then return it.
    /// </summary>
    internal bool EndAlone() => Interlocked.Add(ref _word, Alone) == Disposed;

    /// <summary>Adds a pin unless the memory was disposed. Waits while another call holds the memory alone.</summary>
    /// <exception cref="OverflowException">The memory has a billion pins.</exception>
    internal bool TryPin() => TryAdd(OnePin, out _);

    /// <summary>Removes a pin. Returns true when it was the last pin of disposed memory, which the caller must then return.</summary>
    /// <exception cref="InvalidOperationException">The memory is not pinned; nothing has changed.</exception>
    internal bool Unpin()
    {
        int word = Volatile.Read(ref _word);
        while (true)
        {
            if (word < OnePin)
            {
                throw new InvalidOperationException("The buffer is not pinned and cannot be unpinned: dispose each handle once.");
            }

            int seen = Interlocked.CompareExchange(ref _word, word - OnePin, word);
            if (seen == word)
            {
                return word - OnePin == Disposed;
            }

            word = seen;
        }
    }

    /// <summary>Adds to the word unless the memory was disposed, and provides the new word.</summary>
    private bool TryAdd(int change, out int word)
    {
        int before = Volatile.Read(ref _word);
        while ((before & Disposed) == 0)
        {
            if (before < 0 && change == OnePin)
            {
                Uninterrupted.Yield();
                before = Volatile.Read(ref _word);
                continue;
            }

            word = checked(before + change);
            int seen = Interlocked.CompareExchange(ref _word, word, before);
            if (seen == before)
            {
                return true;
            }

            before = seen;
        }

        word = before;
        return false;
    }
}

using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <content>Marks and frames: places in the order of allocations that the scope goes back to.</content>
/// <remarks>
/// Places are saved in a stack. Going back to one drops those above it, so a mark or frame whose number is not at its index any more has
/// ended. Two marks without an allocation between them share a place: the stack is never longer than the allocations and the open frames.
/// </remarks>
public sealed unsafe partial class NativeScope
{
    /// <summary>The places to go back to, oldest first; null before the first one.</summary>
    private List<ScopePlace>? _places;

    /// <summary>The number of the place that was saved last.</summary>
    private long _lastPlace;

    /// <summary>The number of the newest open frame; 0 without one.</summary>
    private long _frame;

    /// <summary>Remembers the current place in the order of allocations, for <see cref="Rewind"/>.</summary>
    /// <returns>The mark. It needs no disposing.</returns>
    /// <exception cref="OutOfMemoryException">There is no managed memory for the mark; the scope is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public NativeScopeMark Mark()
    {
        ThrowIfDisposed();
        if (_places is { Count: > 0 } places)
        {
            ScopePlace last = places[^1];
            if (last.Frame == _frame && last.AllocatedBytes == AllocatedBytes)
            {
                return new NativeScopeMark(this, places.Count - 1, last.Number, last.AllocatedBytes);
            }
        }

        return SavePlace();
    }

    /// <summary>
    /// Frees everything that was allocated since a mark, which stays valid; later marks and frames have ended. The scope keeps its first
    /// block, as <see cref="Reset"/> does.
    /// </summary>
    /// <param name="mark">A mark of this scope.</param>
    /// <exception cref="ArgumentException">
    /// <paramref name="mark"/> is of another scope or a default instance, or the scope was reset or went back to an older place since.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The scope or its heap was disposed.</exception>
    public void Rewind(NativeScopeMark mark)
    {
        using Inside inside = Enter();
        ThrowIfHeapIsGone();
        if (mark.Scope != this)
        {
            throw new ArgumentException("The mark is not of this scope: pass one that its Mark returned.", nameof(mark));
        }

        if (!Has(mark))
        {
            throw new ArgumentException(
                $"The mark at {mark.AllocatedBytes} bytes has ended, because the scope was reset or went back to an older place since: "
                + "make another mark.",
                nameof(mark));
        }

        _places.RemoveRange(mark.Index + 1, _places.Count - mark.Index - 1);
        GoBackTo(_places[mark.Index]);
    }

    /// <summary>
    /// Opens a frame, which allocates from this scope and frees what was allocated since when it is disposed. The compiler keeps its spans
    /// inside the method.
    /// </summary>
    /// <returns>The frame. Dispose it in the same method, with <see langword="using"/>.</returns>
    /// <exception cref="OutOfMemoryException">There is no managed memory for the frame; the scope is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public NativeFrame CreateFrame()
    {
        ThrowIfDisposed();
        NativeScopeMark begin = SavePlace();
        _frame = begin.Number;
        return new NativeFrame(begin);
    }

    /// <summary>Closes a frame and the newer ones, unless it has ended.</summary>
    internal void Close(NativeScopeMark frame)
    {
        if (!_calls.TryPin())
        {
            return;
        }

        using Inside inside = new(this);
        if (!_heap.IsDisposed && Has(frame))
        {
            ScopePlace begin = _places[frame.Index];
            _places.RemoveRange(frame.Index, _places.Count - frame.Index);
            GoBackTo(begin);
        }
    }

    /// <summary>Throws unless a frame is the newest one: what an older one allocates would end with a newer one.</summary>
    internal void RequireNewest(NativeScopeMark frame)
    {
        if (_frame != frame.Number || _calls.IsDisposed)
        {
            RefuseFrame(frame);
        }
    }

    [DoesNotReturn]
    private void RefuseFrame(NativeScopeMark frame)
    {
        ObjectDisposedException.ThrowIf(_calls.IsDisposed || !Has(frame), typeof(NativeFrame));
        throw new InvalidOperationException(
            "A newer frame of the scope is open, and would free what this one allocates: allocate from that one, or dispose it first.");
    }

    [MemberNotNullWhen(true, nameof(_places))]
    private bool Has(NativeScopeMark mark) =>
        _places is { } places && mark.Index < places.Count && places[mark.Index].Number == mark.Number;

    private NativeScopeMark SavePlace()
    {
        (_places ??= []).Add(new ScopePlace
        {
            Number = _lastPlace + 1,
            Frame = _frame,
            Start = _start,
            Next = _next,
            End = _end,
            Newest = _newest,
            CheckedBlocks = _checkedBlocks?.Count ?? 0,
            NextSize = _nextSize,
            AllocatedBefore = _allocatedBefore,
        });
        _lastPlace++;
        return new NativeScopeMark(this, _places.Count - 1, _lastPlace, AllocatedBytes);
    }

    /// <summary>Goes back to a place, whose state is complete before a block is freed: a check of the heap may throw there.</summary>
    private void GoBackTo(in ScopePlace place)
    {
        _frame = place.Frame;
        _start = place.Start;
        _next = place.Next;
        _end = place.End;
        _nextSize = place.NextSize;
        _allocatedBefore = place.AllocatedBefore;
        if (_start == null && _first != null)
        {
            Open(_first);
            _nextSize = Math.Min(_first->Size * 2, LargestBlockSize);
        }

        FreeBlocks(place.Newest, place.CheckedBlocks);
    }
}

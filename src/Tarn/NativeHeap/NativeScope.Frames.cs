using System.Diagnostics.CodeAnalysis;

namespace Tarn.Native;

/// <content>Frames: places in the order of allocations that the scope goes back to.</content>
/// <remarks>
/// Places are saved in a stack. Going back to one drops it and those above it, so a frame whose number is not at its index any more has
/// ended. The stack is as long as there are open frames.
/// </remarks>
public sealed unsafe partial class NativeScope
{
    /// <summary>The places of the open frames, oldest first; null before the first one.</summary>
    private List<ScopePlace>? _places;

    /// <summary>The number of the place that was saved last.</summary>
    private long _lastPlace;

    /// <summary>The number of the newest open frame; 0 without one.</summary>
    private long _frame;

    /// <summary>
    /// Opens a frame, which allocates from this scope and frees what was allocated since when it is disposed. The compiler keeps its spans
    /// inside the method.
    /// </summary>
    /// <returns>The frame. Dispose it in the same method, with <see langword="using"/>.</returns>
    /// <exception cref="OutOfMemoryException">There is no managed memory for the frame; the scope is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public NativeFrame CreateFrame() => new(OpenFrame());

    /// <summary>Saves the place where a frame begins. Tests, which keep frames in lists, call it directly.</summary>
    /// <inheritdoc cref="CreateFrame" path="/exception"/>
    internal FramePlace OpenFrame()
    {
        ThrowIfDisposed();
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
        _frame = ++_lastPlace;
        return new FramePlace(this, _places.Count - 1, _lastPlace);
    }

    /// <summary>Closes a frame and the newer ones, unless it has ended.</summary>
    internal void Close(FramePlace frame)
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
    internal void RequireNewest(FramePlace frame)
    {
        if (_frame != frame.Number || _calls.IsDisposed)
        {
            RefuseFrame(frame);
        }
    }

    [DoesNotReturn]
    private void RefuseFrame(FramePlace frame)
    {
        ObjectDisposedException.ThrowIf(_calls.IsDisposed || !Has(frame), typeof(NativeFrame));
        throw new InvalidOperationException(
            "A newer frame of the scope is open, and would free what this one allocates: allocate from that one, or dispose it first.");
    }

    [MemberNotNullWhen(true, nameof(_places))]
    private bool Has(FramePlace frame) =>
        _places is { } places && frame.Index < places.Count && places[frame.Index].Number == frame.Number;

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

namespace Tarn;

/// <content>Giving memory back: what trimmers take, what the owner finds on its next call, and what is released without an owner.</content>
internal sealed unsafe partial class BlockClassCache
{
    /// <summary>Moves the loaded magazine out of the owner's reach, to see whether the owner needs it. For trimmers.</summary>
    internal void Park(TimeSpan now)
    {
        if (Loaded is not null && !IsParked)
        {
            IsParked = true;
            ParkedAt = now;
            section.Publish(shared.Index, null);
        }
    }

    /// <summary>
    /// Takes all blocks of a parked magazine except the one that its owner may be taking in one last call (see <see cref="HeapSection"/>).
    /// The owner requests its room again on its next call. For trimmers, after every processor has passed a barrier since the parking.
    /// </summary>
    internal void TakeParked()
    {
        BlockMagazine parked = Loaded!;
        ReadOnlySpan<nint> stack = parked.Stack;
        if (stack.Length > 1)
        {
            shared.GiveToSlabs(stack[..^1], TimeSpan.MinValue);
            parked.Taken += stack.Length - 1;
            _inflow -= stack.Length - 1;
        }

        DropPrevious();
        IsRest = true;
        shared.CountRest(isRest: true);
        _room.ShrinkTo(Math.Min(Room, RestRoom));
        _room.Forget();
    }

    /// <summary>Gives up the previous magazine if it was unused for <paramref name="patience"/>, or at once when that is null.</summary>
    internal void DropIdle(TimeSpan now, TimeSpan? patience)
    {
        if (_previousUse.IsIdle(now, patience) && Previous is not null)
        {
            DropPrevious();
            _room.ShrinkTo(Math.Min(Room, Loaded is null ? 0 : CapacityOf(Loaded)));
            _room.Forget();
        }
    }

    /// <summary>Gives up everything. For the owner, or when there is none.</summary>
    internal void Empty()
    {
        Unpark();
        DropPrevious();
        if (Loaded is { } loaded)
        {
            _inflow -= loaded.FreeCount;
            Load(null);
            shared.GiveUp(loaded, TimeSpan.MinValue);
        }

        _room.ShrinkTo(0);
        _room.Forget();
    }

    /// <summary>Takes back what trimmers left. For the owner, on the slow path.</summary>
    private void Unpark()
    {
        if (!IsParked)
        {
            return;
        }

        BlockMagazine loaded = Loaded!;
        loaded.CloseGap();
        if (IsRest)
        {
            IsRest = false;
            shared.CountRest(isRest: false);
            loaded.Open(Math.Max(loaded.Count, Math.Min(Room, loaded.Room)));
        }

        Load(loaded);
    }

    private void DropPrevious()
    {
        if (Previous is { } previous)
        {
            Previous = null;
            _inflow -= previous.FreeCount;
            shared.GiveUp(previous, TimeSpan.MinValue);
        }
    }
}

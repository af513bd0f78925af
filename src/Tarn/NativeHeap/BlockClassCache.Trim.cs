namespace Tarn.Native;

/// <content>Giving memory back: what trimmers take, what the owner finds on its next call, and what is released without an owner.</content>
internal sealed partial class BlockClassCache
{
    /// <summary>One block that was left, and one that a call in progress may push.</summary>
    private const int RestRoom = 2;

    /// <summary>Moves the magazine out of the owner's reach, to see whether the owner needs it. For trimmers.</summary>
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
        }

        IsRest = true;
        ShrinkTo(RestRoom);
    }

    /// <summary>Gives up everything. For the owner, or when there is none.</summary>
    internal void Empty()
    {
        Unpark();
        if (Loaded is { } loaded)
        {
            _rented += loaded.Pops;
            Load(null);
            shared.GiveToSlabs(loaded.Stack, TimeSpan.MinValue);
        }

        ShrinkTo(0);
    }

    /// <summary>Takes back what trimmers left. For the owner, on the slow path.</summary>
    private void Unpark()
    {
        section.Use.Count(isUsed: true);
        if (!IsParked)
        {
            return;
        }

        BlockMagazine loaded = Loaded!;
        if (IsRest)
        {
            IsRest = false;
            loaded.RemoveOldest(0);
            loaded.Open(Room);
        }

        Load(loaded);
    }
}

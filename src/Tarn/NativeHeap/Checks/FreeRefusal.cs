using System.Diagnostics;

namespace Tarn.Native;

/// <summary>Why a checked heap refuses to free a block. A refusal is certain, and the heap has changed nothing.</summary>
/// <param name="Kind"><see cref="BufferIncidentKind.DoubleReturn"/>, or <see cref="BufferIncidentKind.ForeignReturn"/> for all
/// else.</param>
/// <param name="Block">The block concerned, if there is one.</param>
/// <param name="FreedAt">The stack that first freed it.</param>
/// <param name="Reason">The reason in words.</param>
internal sealed record FreeRefusal(BufferIncidentKind Kind, CheckedBlock? Block, StackTrace? FreedAt, string Reason)
{
    /// <summary>Judges whether <paramref name="address"/> may be freed; null when it may.</summary>
    /// <param name="found">The block that contains the address, if any.</param>
    /// <param name="address">The address to free.</param>
    /// <param name="size">The size its owner assumes, in bytes; null skips the check.</param>
    /// <param name="alignment">The alignment its owner assumes, in bytes; null skips the check.</param>
    internal static FreeRefusal? Judge(CheckedBlock? found, nuint address, nuint? size, nuint? alignment)
    {
        if (found is null)
        {
            return new FreeRefusal(BufferIncidentKind.ForeignReturn, null, null, "no block of this heap lies there");
        }

        string name = BlockWords.Name(found);
        if (address != found.Start)
        {
            string state = found.State == CheckedBlockState.InUse ? "in use" : "freed already";
            return Foreign(found, $"{Place(found, address)} {name}, offset {(nint)(address - found.Start)}, {state}");
        }

        if (found.State != CheckedBlockState.InUse)
        {
            return new FreeRefusal(BufferIncidentKind.DoubleReturn, found, found.FreedAt, $"{name} was freed already");
        }

        if (size is { } believed && believed != found.Size)
        {
            return Foreign(found, $"{name} is not one of {believed} bytes");
        }

        return alignment is { } aligned && aligned != found.Alignment
            ? Foreign(found, $"{name} was allocated with an alignment of {found.Alignment}, not of {aligned}")
            : null;
    }

    /// <summary>Names the other heap that owns the address, if there is one.</summary>
    internal FreeRefusal TraceToOtherHeap(nuint address)
    {
        (CheckedBlocks? heap, CheckedBlock? block) = CheckedHeaps.Find(address);
        return block is null
            ? this
            : this with
            {
                Block = block,
                FreedAt = block.FreedAt,
                Reason = $"{Reason}, but {BlockWords.Name(block)} of the heap {heap!.Name}",
            };
    }

    private static FreeRefusal Foreign(CheckedBlock block, string reason) =>
        new(BufferIncidentKind.ForeignReturn, block, block.FreedAt, reason);

    private static string Place(CheckedBlock block, nuint address) =>
        address < block.Start ? "before the beginning of"
        : address < block.Start + block.Size ? "interior of"
        : "past the end of";

    /// <summary>The exception for the caller.</summary>
    internal InvalidOperationException ToException(string heap, nuint address) =>
        new($"The heap {heap} refuses {BlockWords.Address(address)}: {Reason}."
            + BlockWords.Tell("It was allocated", Block?.AllocatedAt)
            + BlockWords.Tell("and first freed", FreedAt));

    /// <summary>The incident for listeners.</summary>
    /// <param name="heap">The name of the heap that refuses.</param>
    /// <param name="address">The address to be freed.</param>
    /// <param name="here">The stack of the refused call. It stands in for the first free when there was none.</param>
    internal BufferIncident ToIncident(string heap, nuint address, StackTrace? here) =>
        BufferIncident.Of(
            Kind, heap, (long)(Block?.Size ?? 0), Block?.AllocatedAt, FreedAt ?? here, $"{BlockWords.Address(address)}: {Reason}.");
}

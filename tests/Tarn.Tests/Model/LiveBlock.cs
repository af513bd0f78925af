namespace Tarn.Tests.Model;

/// <summary>One block the model knows to be in use: where it is, what was asked for, and what it was stamped with.</summary>
/// <param name="Address">Where it begins.</param>
/// <param name="Requested">The size it was asked for with, in bytes.</param>
/// <param name="Usable">The size the heap says it has.</param>
/// <param name="Alignment">What it was asked to be aligned to; 0 when it was not.</param>
/// <param name="Stamp">What was written to all of it.</param>
internal readonly record struct LiveBlock(nint Address, nuint Requested, nuint Usable, nuint Alignment, ulong Stamp)
{
    internal bool Overlaps(LiveBlock other) =>
        (nuint)Address < (nuint)other.Address + other.Usable && (nuint)other.Address < (nuint)Address + Usable;
}

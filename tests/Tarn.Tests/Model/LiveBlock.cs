namespace Tarn.Tests.Model;

/// <summary>One block that the model knows to be in use: its address, the requested size, and its stamp.</summary>
/// <param name="Address">Where it begins.</param>
/// <param name="Requested">The size it was asked for with, in bytes.</param>
/// <param name="Usable">The size the heap says it has.</param>
/// <param name="Alignment">The requested alignment, or 0.</param>
/// <param name="Stamp">The value written to all of its bytes.</param>
internal readonly record struct LiveBlock(nint Address, nuint Requested, nuint Usable, nuint Alignment, ulong Stamp)
{
    internal bool Overlaps(LiveBlock other) =>
        (nuint)Address < (nuint)other.Address + other.Usable && (nuint)other.Address < (nuint)Address + Usable;
}

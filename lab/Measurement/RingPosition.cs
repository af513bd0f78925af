using System.Runtime.InteropServices;

namespace Tarn.Lab.Measurement;

/// <summary>
/// A place in a ring on cache lines of its own: frequent writes of one side must not slow the other side's reads of other data.
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = 256)]
internal struct RingPosition
{
    [FieldOffset(128)]
    public int Value;
}

using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Makes arrays: uninitialized where every bit pattern of the element is a valid one, zeroed elsewhere.</summary>
/// <remarks>
/// A <see cref="bool"/> that is neither 0 nor 1, or a <see cref="decimal"/> or <see cref="DateTime"/> with impossible bits, breaks
/// code that has every right to trust them; so only types known to have no such pattern are left uninitialized.
/// </remarks>
internal static class ArraySource<T>
{
    private static readonly bool s_everyPatternIsValid = IsKnownToAcceptEveryPattern(typeof(T));

    /// <param name="length">In elements.</param>
    /// <param name="pinned">On the pinned object heap.</param>
    /// <param name="cleared">Zeroed whatever the elements are.</param>
    internal static T[] Allocate(int length, bool pinned, bool cleared) =>
        s_everyPatternIsValid && !cleared ? GC.AllocateUninitializedArray<T>(length, pinned) : GC.AllocateArray<T>(length, pinned);

    /// <summary>Whether a buffer of these elements may hold anything at all.</summary>
    internal static bool EveryPatternIsValid => s_everyPatternIsValid;

    private static bool IsKnownToAcceptEveryPattern(Type type)
    {
        if (type.IsEnum)
        {
            type = Enum.GetUnderlyingType(type);
        }

        return (type.IsPrimitive && type != typeof(bool))
            || type == typeof(Guid) || type == typeof(Half) || type == typeof(Int128) || type == typeof(UInt128);
    }
}

using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Allocates arrays: uninitialized where every bit pattern of the element is valid, zeroed elsewhere.</summary>
/// <remarks>
/// A <see cref="bool"/> other than 0 or 1, or a <see cref="decimal"/> or <see cref="DateTime"/> with invalid bits, breaks code that rightly
/// trusts these types. Only types known to have no invalid pattern are left uninitialized.
/// </remarks>
internal static class ArraySource<T>
{
    private static readonly bool s_everyPatternIsValid = IsKnownToAcceptEveryPattern(typeof(T));

    /// <param name="length">The length, in elements.</param>
    /// <param name="pinned">Whether to allocate on the pinned object heap.</param>
    /// <param name="cleared">Whether to zero the array for every element type.</param>
    internal static T[] Allocate(int length, bool pinned, bool cleared) =>
        s_everyPatternIsValid && !cleared ? GC.AllocateUninitializedArray<T>(length, pinned) : GC.AllocateArray<T>(length, pinned);

    /// <summary>Whether a buffer of these elements may hold any bit pattern.</summary>
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

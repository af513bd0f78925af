using System.Runtime.InteropServices;

namespace Tarn.Native;

/// <summary>
/// The header of each block that a <see cref="NativeScope"/> holds: what the scope needs to free the block and to find the next.
/// </summary>
/// <remarks>The scope owns the block as long as it holds it, so this header is not metadata in free or foreign memory.</remarks>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct ScopeBlock
{
    /// <summary>The block that the scope took before this one; null for the oldest, and for the one that a reset keeps.</summary>
    internal ScopeBlock* Previous;

    /// <summary>The size of the whole block, this header included, in bytes.</summary>
    internal nuint Size;
}

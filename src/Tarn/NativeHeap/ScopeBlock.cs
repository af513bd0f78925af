using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>
/// The beginning of each block that a <see cref="NativeScope"/> holds: what it needs to free the block and to find the next.
/// </summary>
/// <remarks>The block is the scope's own as long as it holds it, so this is no metadata in free or foreign memory.</remarks>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct ScopeBlock
{
    /// <summary>The block that the scope took before this one; null for the oldest, and for the one that a reset keeps.</summary>
    internal ScopeBlock* Previous;

    /// <summary>The size of the whole block, this beginning included, in bytes.</summary>
    internal nuint Size;
}

namespace Tarn;

/// <summary>One holder of a counted buffer: a place of its <see cref="HolderTable{T}"/>, and what that place contains meanwhile.</summary>
/// <param name="Place">The index of the place.</param>
/// <param name="Token">The token, which no other hold of the table ever has. 0 in a default instance, which holds nothing.</param>
internal readonly record struct Hold(int Place, long Token);

namespace Tarn;

/// <summary>
/// Different whenever the class was used: rents and exchanges only grow, and every return moves the number of free buffers.
/// </summary>
internal readonly record struct ClassActivity(long Rented, long Outflow, int Free);

using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <summary>Throws what the array pool and its leases throw, out of line so that hot methods stay small.</summary>
internal static class PoolThrow
{
    [DoesNotReturn]
    internal static void LengthNotFromPool(string name, int length) =>
        throw new ArgumentException(
            $"The pool hands out no array of length {length}, and keeps none: return the array to the pool it was rented from.", name);

    [DoesNotReturn]
    internal static void TypeNotFromPool(string name, Type actual, Type expected) =>
        throw new ArgumentException(
            $"The pool hands out {expected}, not {actual}, and keeps no other: return the array to the pool it was rented from.", name);

    [DoesNotReturn]
    internal static void UsedLengthOutOfRange(string name, int usedLength, int length) =>
        throw new ArgumentOutOfRangeException(name, usedLength, $"The used length must lie between 0 and the array's length, {length}.");

    [DoesNotReturn]
    internal static void ReturnedTwice(int length) =>
        throw new InvalidOperationException(
            $"The array of length {length} is in the pool already: it was returned twice. A lease returns its buffer once.");

    [DoesNotReturn]
    internal static void LeaseDisposed() =>
        throw new ObjectDisposedException(
            "BufferLease", "The lease was disposed, or never handed out, and the buffer belongs to the pool: take another lease.");
}

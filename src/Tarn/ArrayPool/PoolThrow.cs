using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <summary>Throws the exceptions of the array pool and its leases, out of line so that hot methods stay small.</summary>
internal static class PoolThrow
{
    [DoesNotReturn]
    internal static void LengthNotFromPool(string name, int length) =>
        throw new ArgumentException(
            $"The pool does not hand out arrays of length {length}. Return the array to the pool it was rented from.", name);

    [DoesNotReturn]
    internal static void TypeNotFromPool(string name, Type actual, Type expected) =>
        throw new ArgumentException(
            $"The pool hands out {expected}, not {actual}. Return the array to the pool it was rented from.", name);

    [DoesNotReturn]
    internal static void UsedLengthOutOfRange(string name, int usedLength, int length) =>
        throw new ArgumentOutOfRangeException(name, usedLength, $"The used length must be between 0 and the array's length, {length}.");

    [DoesNotReturn]
    internal static void BlockLengthOutOfRange(string name, int length, int largest) =>
        throw new ArgumentOutOfRangeException(
            name, length, $"A block has 0 to {largest} elements, the memory pool's greatest length, or -1 for its default.");

    [DoesNotReturn]
    internal static void ReturnedTwice(int length) =>
        throw new InvalidOperationException(
            $"The array of length {length} is already in the pool: it was returned twice. A lease returns its buffer once.");

    [DoesNotReturn]
    internal static void LeaseDisposed() =>
        throw new ObjectDisposedException(
            "BufferLease", "The lease was disposed or is a default instance. The buffer belongs to the pool; take a new lease.");
}

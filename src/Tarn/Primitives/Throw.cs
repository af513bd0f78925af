using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Exceptions, out of line so that hot methods that throw them stay small; and conditions whose failure is one.</summary>
internal static class Throw
{
    [DoesNotReturn]
    internal static void ArgumentNull(string name) => throw new ArgumentNullException(name);

    [DoesNotReturn]
    internal static void NegativeLength(string name, int value) =>
        throw new ArgumentOutOfRangeException(name, value, "A length cannot be negative.");

    [DoesNotReturn]
    internal static void Outside(string name, long value, long most) =>
        throw new ArgumentOutOfRangeException(name, value, $"It must lie between 0 and {most}.");

    /// <summary>A part must lie in what has <paramref name="size"/> bytes.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It does not; the message names the argument and its value.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void UnlessPart(long offset, int length, long size)
    {
        if ((ulong)offset > (ulong)size)
        {
            Outside(nameof(offset), offset, size);
        }

        if ((ulong)length > (ulong)(size - offset))
        {
            Outside(nameof(length), length, size - offset);
        }
    }

    [DoesNotReturn]
    internal static void LengthNotFromPool(string name, int length) =>
        throw new ArgumentException($"An array of length {length} is not one this pool hands out; it was rented elsewhere.", name);

    [DoesNotReturn]
    internal static void TypeNotFromPool(string name, Type actual, Type expected) =>
        throw new ArgumentException($"An array of type {actual} is not one this pool hands out; it hands out {expected}.", name);

    [DoesNotReturn]
    internal static void UsedLengthOutOfRange(string name, int usedLength, int length) =>
        throw new ArgumentOutOfRangeException(name, usedLength, $"The used length must lie between 0 and the array's length, {length}.");

    [DoesNotReturn]
    internal static void ReturnedTwice(int length) =>
        throw new InvalidOperationException($"The array of length {length} is in the pool already: it was returned twice.");

    [DoesNotReturn]
#pragma warning disable CA2201 // this is what the runtime throws when there is no memory, and what callers look for
    internal static void OutOfNativeMemory(nuint size, string heap) =>
        throw new OutOfMemoryException($"The operating system has no memory for a block of {size} bytes of the heap {heap}.");

    [DoesNotReturn]
    internal static void OutOfMemoryForStream(long size) =>
        throw new OutOfMemoryException($"There is no memory for a stream that is to have room for {size} bytes more.");
#pragma warning restore CA2201

    [DoesNotReturn]
    internal static void NotOut(nuint block, string heap) =>
        throw new InvalidOperationException($"0x{block:x} is not a block in use of the heap {heap}.");

    [DoesNotReturn]
    internal static void NotOut(nuint block, nuint size, string heap) =>
        throw new InvalidOperationException($"0x{block:x} is not a block in use of {size} bytes of the heap {heap}.");

    [DoesNotReturn]
    internal static void LeaseDisposed() =>
        throw new ObjectDisposedException("BufferLease", "The lease was disposed, or never given out: its buffer belongs to the pool.");

    /// <summary>A setting of options must be what its documentation allows.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is not; the message names the setting and its value.</exception>
    internal static void UnlessAllowed(bool isAllowed, string argumentName, string setting, object? value, string allowed)
    {
        if (!isAllowed)
        {
            throw new ArgumentOutOfRangeException(argumentName, value, $"{setting} must be {allowed}.");
        }
    }

    /// <summary>An invariant must hold.</summary>
    /// <exception cref="InvalidOperationException">It does not; the message says which.</exception>
    internal static void UnlessHolds(bool holds, string invariant)
    {
        if (!holds)
        {
            throw new InvalidOperationException($"Invariant broken: {invariant}.");
        }
    }
}

using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Throws the exceptions that all parts of the library share, out of line so that hot methods stay small.</summary>
internal static class Throw
{
    [DoesNotReturn]
    internal static void ArgumentNull(string name) => throw new ArgumentNullException(name);

    [DoesNotReturn]
    internal static void NegativeLength(string name, int value) =>
        throw new ArgumentOutOfRangeException(name, value, "A length must not be negative.");

    [DoesNotReturn]
    internal static void Negative(string name, long value) =>
        throw new ArgumentOutOfRangeException(name, value, "The value must not be negative.");

    [DoesNotReturn]
    internal static void Outside(string name, long value, long most) =>
        throw new ArgumentOutOfRangeException(name, value, $"The value must lie between 0 and {most}.");

    /// <summary>Throws unless a part is inside an object of <paramref name="size"/> bytes.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The part is outside; the message names the argument and its value.</exception>
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

    /// <summary>Throws unless a setting of options has a value that its documentation allows.</summary>
    /// <exception cref="ArgumentOutOfRangeException">
    /// The value is not allowed; the message names the setting, its value and the allowed values.
    /// </exception>
    internal static void UnlessAllowed<T>(bool isAllowed, string argumentName, string setting, T value, string allowed)
    {
        if (!isAllowed)
        {
            throw new ArgumentOutOfRangeException(argumentName, value, $"{setting} must be {allowed}.");
        }
    }

    /// <summary>As the other form; the text is put together only if it is thrown.</summary>
    /// <inheritdoc cref="UnlessAllowed{T}(bool, string, string, T, string)" path="/exception"/>
    internal static void UnlessAllowed<T>(
        bool isAllowed, string argumentName, string setting, T value,
        [InterpolatedStringHandlerArgument(nameof(isAllowed))] ref AllowedText allowed)
    {
        if (!isAllowed)
        {
            UnlessAllowed(isAllowed, argumentName, setting, value, allowed.ToStringAndClear());
        }
    }

    /// <summary>Throws unless an invariant holds.</summary>
    /// <exception cref="InvalidOperationException">The invariant is broken; the message names it.</exception>
    internal static void UnlessHolds(bool holds, string invariant)
    {
        if (!holds)
        {
            throw new InvalidOperationException($"Invariant broken: {invariant}.");
        }
    }
}

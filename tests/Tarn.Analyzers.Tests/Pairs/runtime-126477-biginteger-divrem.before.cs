// dotnet/runtime#126477 (BigInteger.DivRem; the owner of the rented array is written out here).
// The quotient was a slice of a rented array; the array went back to the pool before the result, which copies the
// slice, was made of it. The fix makes the result first and returns the array afterwards.
using System;
using System.Buffers;

internal readonly struct Big
{
    private const int StackThreshold = 64;

    private readonly uint[] _digits;
    private readonly bool _negative;

    private Big(ReadOnlySpan<uint> digits, bool negative)
    {
        _digits = digits.ToArray();
        _negative = negative;
    }

    internal static Big DivRem(Big dividend, uint divisor, out uint remainder)
    {
        if (dividend._digits.Length == 0)
        {
            remainder = 0;
            return dividend;
        }

        int size = dividend._digits.Length;
        uint[]? quotientFromPool = null;
        Span<uint> quotient = size <= StackThreshold
            ? stackalloc uint[StackThreshold]
            : quotientFromPool = ArrayPool<uint>.Shared.Rent(size);
        quotient = quotient.Slice(0, size);
        remainder = Divide(dividend._digits, divisor, quotient);

        if (quotientFromPool != null)
        {
            ArrayPool<uint>.Shared.Return(quotientFromPool);
        }

        return new Big(quotient, dividend._negative); // expect TARN002
    }

    private static uint Divide(ReadOnlySpan<uint> left, uint right, Span<uint> quotient)
    {
        ulong carry = 0;
        for (int i = left.Length - 1; i >= 0; i--)
        {
            ulong value = (carry << 32) | left[i];
            quotient[i] = (uint)(value / right);
            carry = value % right;
        }

        return (uint)carry;
    }
}

// dotnet/runtime#92511, after #86875 and #88840 (parsing of numbers from UTF-8 by way of rented characters).
// The branches that report a failure left the method without returning the array. The fix returns it there as well.
using System;
using System.Buffers;
using System.Globalization;
using System.Text;

internal static class Utf8Numbers
{
    private const int StackThreshold = 256;

    internal static bool TryParse(ReadOnlySpan<byte> utf8, NumberStyles style, IFormatProvider? provider, out decimal result)
    {
        char[]? textArray = null;
        int maxCount = Encoding.UTF8.GetMaxCharCount(utf8.Length);
        Span<char> text = maxCount < StackThreshold
            ? stackalloc char[StackThreshold]
            : textArray = ArrayPool<char>.Shared.Rent(maxCount);

        if (!TryTranscode(utf8, text, out int length))
        {
            if (textArray != null)
            {
                ArrayPool<char>.Shared.Return(textArray);
            }

            result = default;
            return false;
        }

        bool parsed = decimal.TryParse(text.Slice(0, length), style, provider, out result);

        if (textArray != null)
        {
            ArrayPool<char>.Shared.Return(textArray);
        }

        return parsed;
    }

    private static bool TryTranscode(ReadOnlySpan<byte> utf8, Span<char> text, out int length) =>
        Encoding.UTF8.TryGetChars(utf8, text, out length);
}

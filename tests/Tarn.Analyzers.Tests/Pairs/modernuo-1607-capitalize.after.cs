// modernuo/ModernUO#1607 (commit 0ae1bcfc8): the capitalized name was made of a span over the whole pooled array and ended with what was in it before.
// The fix slices the span to the length of the name.
using System;
using System.Buffers;

internal static class Names
{
    public static string Capitalize(this string value)
    {
        if (string.IsNullOrEmpty(value))
        {
            return value;
        }

        char[] characters = ArrayPool<char>.Shared.Rent(value.Length);
        var span = characters.AsSpan(0, value.Length);

        var rest = value.AsSpan();
        rest.CopyTo(span);

        var index = 0;

        while (true)
        {
            if (rest.StartsWith("the ", StringComparison.OrdinalIgnoreCase))
            {
                rest = rest[4..];
                index += 4;
                continue;
            }

            var indexOfSpace = rest.IndexOf(' ');
            span[index] = char.ToUpperInvariant(rest[0]);

            if (indexOfSpace == -1 || indexOfSpace == rest.Length - 1)
            {
                break;
            }

            rest = rest[(indexOfSpace + 1)..];
            index += indexOfSpace + 1;
        }

        var result = span.ToString();

        ArrayPool<char>.Shared.Return(characters);
        return result;
    }
}

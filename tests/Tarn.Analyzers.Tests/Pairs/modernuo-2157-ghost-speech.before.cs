// modernuo/ModernUO#2157 (commit bacca2e8e): the finally returned the array of a long text before the string was made
// of the span over it. The fix makes the string inside the try.
using System;
using System.Buffers;

internal class Speaker
{
    private static readonly char[] s_ghostChars = ['o', 'O'];

    private readonly Random _random = new();

    public bool MutateSpeech(ref string text, out object? context)
    {
        int length = text.Length;
        char[]? rented = null;
        Span<char> chars = length <= 256
            ? stackalloc char[length]
            : rented = ArrayPool<char>.Shared.Rent(length);

        try
        {
            ReadOnlySpan<char> said = text.AsSpan();
            for (var i = 0; i < said.Length; ++i)
            {
                chars[i] = said[i] != ' ' ? s_ghostChars[_random.Next(s_ghostChars.Length)] : ' ';
            }
        }
        finally
        {
            if (rented != null)
            {
                ArrayPool<char>.Shared.Return(rented);
            }
        }

        text = new string(chars[..length]); // expect TARN002
        context = this;
        return true;
    }
}

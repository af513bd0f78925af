using System.Text;

namespace Tarn.Traces;

/// <summary>Reads the format of <see cref="VarintWriter"/> from untrusted bytes.</summary>
internal ref struct VarintReader(ReadOnlySpan<byte> bytes)
{
    /// <summary>The longest text, in characters.</summary>
    internal const int LongestText = 4 << 10;

    private static readonly UTF8Encoding s_strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private readonly ReadOnlySpan<byte> _bytes = bytes;
    private int _position;

    internal readonly int Remaining => _bytes.Length - _position;

    /// <param name="what">The name of the number in exceptions.</param>
    /// <param name="most">The greatest allowed value.</param>
    internal ulong Read(string what, ulong most)
    {
        int start = _position;
        ulong value = 0;
        for (int shift = 0; shift < 64; shift += 7)
        {
            if (_position == _bytes.Length)
            {
                throw new InvalidDataException($"The trace's body ends at byte {_position}, within a {what}.");
            }

            byte next = _bytes[_position++];
            value |= (ulong)(next & 0x7F) << shift;
            if (next < 0x80)
            {
                return value <= most
                    ? value
                    : throw new InvalidDataException(
                        $"The trace's body has a {what} of {value} at byte {start}; the most is {most}.");
            }
        }

        throw new InvalidDataException($"The trace's body has a {what} of more than 64 bits at byte {start}.");
    }

    internal string ReadText(string what)
    {
        int length = (int)Read($"length of the {what}", LongestText * 3);
        if (length > Remaining)
        {
            throw new InvalidDataException($"The trace's body ends at byte {_bytes.Length}, within the {what}.");
        }

        ReadOnlySpan<byte> utf8 = _bytes.Slice(_position, length);
        _position += length;
        try
        {
            return s_strict.GetString(utf8);
        }
        catch (DecoderFallbackException exception)
        {
            throw new InvalidDataException($"The {what} before byte {_position} of the trace's body is not valid UTF-8.", exception);
        }
    }

    internal readonly void DemandEnd()
    {
        if (Remaining > 0)
        {
            throw new InvalidDataException($"The trace's body continues for {Remaining} bytes after its last event.");
        }
    }
}

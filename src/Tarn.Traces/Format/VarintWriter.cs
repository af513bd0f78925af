using System.Text;

namespace Tarn.Traces;

/// <summary>Writes numbers seven bits at a time, lowest first; the top bit of a byte says that more follow.</summary>
internal sealed class VarintWriter
{
    private readonly List<byte> _bytes = [];

    internal void Write(ulong value)
    {
        while (value >= 0x80)
        {
            _bytes.Add((byte)(value | 0x80));
            value >>= 7;
        }

        _bytes.Add((byte)value);
    }

    internal void Write(string text)
    {
        byte[] utf8 = Encoding.UTF8.GetBytes(text.Length <= VarintReader.LongestText ? text : text[..VarintReader.LongestText]);
        Write((ulong)utf8.Length);
        _bytes.AddRange(utf8);
    }

    internal byte[] ToArray() => [.. _bytes];
}

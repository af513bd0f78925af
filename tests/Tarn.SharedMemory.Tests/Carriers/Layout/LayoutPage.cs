using System.Globalization;
using Tarn.Tests.Tidy;

namespace Tarn.SharedMemory.Tests.Carriers.Layout;

/// <summary>The tables of docs/shared-memory-layout.md.</summary>
internal static class LayoutPage
{
    /// <summary>Returns the rows of the table below a heading, each as its cells.</summary>
    internal static List<string[]> TableOf(string heading)
    {
        List<string[]> rows =
        [
            .. File.ReadLines(Repository.At("docs/shared-memory-layout.md")).SkipWhile(line => line.TrimStart('#', ' ') != heading).Skip(1)
                .TakeWhile(static line => !line.StartsWith('#')).SkipWhile(static line => !line.StartsWith('|'))
                .TakeWhile(static line => line.StartsWith('|'))
                .Select(static line => line.Trim('|').Split('|').Select(static cell => cell.Trim()).ToArray()),
        ];
        Assert.True(rows.Count > 2, $"The page has no table below \"{heading}\".");
        return rows[2..];
    }

    /// <summary>The fields below a heading: where each is, and its value in the recorded region.</summary>
    internal static List<Field> FieldsOf(string heading) =>
    [
        .. TableOf(heading).Select(static row => new Field(
            (int)Number(row[0]), (int)Number(row[1]), row[2].Trim('`'), row[4])),
    ];

    /// <summary>A number of the page, with or without separators of thousands.</summary>
    internal static ulong Number(string text) => ulong.Parse(text, NumberStyles.AllowThousands, CultureInfo.InvariantCulture);

    /// <summary>A field of a header.</summary>
    /// <param name="Offset">Where it begins.</param>
    /// <param name="Bytes">Its size.</param>
    /// <param name="Name">Its name.</param>
    /// <param name="Recorded">Its value in the recorded region: a number, or bytes in hexadecimal digits after 0x, in their order.</param>
    internal sealed record Field(int Offset, int Bytes, string Name, string Recorded)
    {
        /// <summary>The bytes of the value.</summary>
        internal byte[] Value()
        {
            if (Recorded.StartsWith("0x", StringComparison.Ordinal))
            {
                return Convert.FromHexString(Recorded[2..]);
            }

            return BitConverter.GetBytes(Number(Recorded))[..Bytes];
        }
    }
}

using System.Globalization;
using System.Text;

namespace Tarn.Pages;

/// <summary>
/// Text that others chose: names of processes, files, pools and methods, arguments, answers of servers. What would command the terminal,
/// turn the direction of what is beside it, or be refused by a format, is replaced by a character that is seen.
/// </summary>
/// <remarks>
/// A control character becomes its picture, such as ␛ for an escape; C1 controls, marks and overrides of the direction, separators of
/// lines and paragraphs, halves of surrogate pairs and what XML forbids become �. The length stays, so that columns do.
/// </remarks>
internal static class ForeignText
{
    private const char Replacement = '\uFFFD';

    /// <summary>U+2400 is the picture of U+0000, and so on.</summary>
    private const int Pictures = 0x2400;
    private const char PictureOfDelete = '\u2421';
    private const char Delete = '\u007F';
    private const int LongestFileName = 100;

    /// <summary>Text for a place that has one line: line breaks and tabs are replaced too.</summary>
    public static string Line(string text) => Clean(text, keepsLines: false);

    /// <summary>Text of several lines: line breaks and tabs stay.</summary>
    public static string Lines(string text) => Clean(text, keepsLines: true);

    /// <summary>A JSON document whose strings have nothing that a terminal would obey: escapes replace it, so that values stay.</summary>
    public static string Json(string json)
    {
        // The serializer escapes controls and replaces halves of pairs itself.
        if (!json.Any(IsDirection))
        {
            return json;
        }

        var text = new StringBuilder(json.Length + 32);
        foreach (char one in json)
        {
            _ = IsDirection(one) ? text.Append(CultureInfo.InvariantCulture, $"\\u{(int)one:X4}") : text.Append(one);
        }

        return text.ToString();
    }

    /// <summary>A name of a file in the folder that the caller chose, and nowhere else.</summary>
    public static string FileName(string name)
    {
        string safe = string.Concat(
            Line(name).Take(LongestFileName).Select(one => one == '\\' || Path.GetInvalidFileNameChars().Contains(one) ? '-' : one));
        return Line(safe);
    }

    private static string Clean(string text, bool keepsLines)
    {
        int at = FirstForeign(text, keepsLines);
        return at < 0 ? text : string.Create(text.Length, (text, at, keepsLines), static (clean, from) =>
        {
            from.text.CopyTo(clean);
            for (int i = from.at; i < clean.Length; i++)
            {
                if (MustGo(from.text, i, from.keepsLines))
                {
                    clean[i] = Seen(clean[i]);
                }
            }
        });
    }

    private static int FirstForeign(string text, bool keepsLines)
    {
        for (int i = 0; i < text.Length; i++)
        {
            if (MustGo(text, i, keepsLines))
            {
                return i;
            }
        }

        return -1;
    }

    private static bool MustGo(string text, int at, bool keepsLines)
    {
        char one = text[at];
        return one switch
        {
            >= ' ' and < Delete => false,
            '\n' or '\t' => !keepsLines,

            // Alone it returns to the begin of a line that others then write over.
            '\r' => !keepsLines || Environment.NewLine.Length == 1 || at + 1 == text.Length || text[at + 1] != '\n',
            _ when char.IsHighSurrogate(one) => at + 1 == text.Length || !char.IsLowSurrogate(text[at + 1]),
            _ when char.IsLowSurrogate(one) => at == 0 || !char.IsHighSurrogate(text[at - 1]),
            '\uFFFE' or '\uFFFF' => true,
            _ => char.IsControl(one) || IsDirection(one),
        };
    }

    /// <summary>What turns the direction of text, and what some terminals take for the end of a line.</summary>
    private static bool IsDirection(char one) =>
        one is '\u061C' or '\u200E' or '\u200F' or (>= '\u2028' and <= '\u202E') or (>= '\u2066' and <= '\u2069');

    private static char Seen(char one) => one < ' ' ? (char)(Pictures + one) : one == Delete ? PictureOfDelete : Replacement;
}

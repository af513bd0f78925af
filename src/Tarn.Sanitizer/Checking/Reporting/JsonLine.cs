using System.Globalization;
using System.Text;

namespace Tarn.Sanitizing.Checking.Reporting;

/// <summary>An object of JSON on a line of its own. The framework's writer rents from the pools that are watched.</summary>
internal sealed class JsonLine
{
    private readonly StringBuilder _text = new("{");
    private bool _isFirst = true;

    internal JsonLine(string type) => Add("type", type);

    internal JsonLine Add(string name, string value)
    {
        Name(name);
        Quote(value);
        return this;
    }

    internal JsonLine Add(string name, long value)
    {
        Name(name);
        _text.Append(value.ToString(CultureInfo.InvariantCulture));
        return this;
    }

    internal JsonLine Add(string name, RecordedFrame[] frames)
    {
        Name(name);
        _text.Append('[');
        for (int index = 0; index < frames.Length; index++)
        {
            _text.Append(index == 0 ? "{" : ",{");
            _isFirst = true;
            RecordedFrame frame = frames[index];
            Add("method", frame.Method).Add("assembly", frame.Assembly).Add("path", frame.Path).Add("token", frame.Token);
            Add("offset", frame.Offset).Add("file", frame.File).Add("line", frame.Line);
            _text.Append('}');
        }

        _text.Append(']');
        return this;
    }

    /// <summary>The line, with its end.</summary>
    public override string ToString() => $"{_text}}}\n";

    private void Name(string name)
    {
        if (!_isFirst)
        {
            _text.Append(',');
        }

        _isFirst = false;
        Quote(name);
        _text.Append(':');
    }

    private void Quote(string text)
    {
        _text.Append('"');
        foreach (char letter in text)
        {
            if (letter is '"' or '\\')
            {
                _text.Append('\\').Append(letter);
            }
            else if (letter < ' ' || char.IsSurrogate(letter))
            {
                // Names may hold anything, even halves of letters.
                _text.Append("\\u").Append(((int)letter).ToString("x4", CultureInfo.InvariantCulture));
            }
            else
            {
                _text.Append(letter);
            }
        }

        _text.Append('"');
    }
}

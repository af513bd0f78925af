using System.Globalization;
using Tarn.Native;

namespace Samples;

/// <summary>
/// Parses formulas of one variable, such as <c>(1 + x) * -3.5</c>, by recursive descent. All nodes of a formula come from one scope.
/// </summary>
internal unsafe ref struct FormulaParser
{
    /// <summary>Formulas come from users: without a limit, parentheses could use up the stack.</summary>
    private const int MostDepth = 200;

    private readonly ReadOnlySpan<char> _text;
    private readonly NativeScope _scope;
    private int _at;
    private int _depth;

    private FormulaParser(ReadOnlySpan<char> text, NativeScope scope)
    {
        _text = text;
        _scope = scope;
    }

    /// <summary>Parses one formula.</summary>
    /// <param name="text">The formula.</param>
    /// <param name="scope">Owns the nodes: they are valid until it is reset or disposed.</param>
    /// <exception cref="FormatException">The text is no formula; the message names the position.</exception>
    internal static Node* Parse(ReadOnlySpan<char> text, NativeScope scope)
    {
        FormulaParser parser = new(text, scope);
        Node* formula = parser.Sum();
        return parser.Peek() == '\0' ? formula : throw parser.Unexpected();
    }

    private Node* Sum()
    {
        if (++_depth > MostDepth)
        {
            throw new FormatException($"The formula is nested more than {MostDepth} deep at position {_at}.");
        }

        Node* left = Product();
        while (Peek() is '+' or '-')
        {
            left = New(_text[_at++], left, Product());
        }

        _depth--;
        return left;
    }

    private Node* Product()
    {
        Node* left = Factor();
        while (Peek() is '*' or '/')
        {
            left = New(_text[_at++], left, Factor());
        }

        return left;
    }

    private Node* Factor()
    {
        bool isNegative = false;
        for (; Peek() == '-'; _at++)
        {
            isNegative = !isNegative;
        }

        Node* factor = Peek() switch
        {
            '(' => Parenthesis(),
            'x' => Variable(),
            >= '0' and <= '9' => Number(),
            _ => throw Unexpected(),
        };
        return isNegative ? New(Node.Negation, factor, null) : factor;
    }

    private Node* Parenthesis()
    {
        _at++;
        Node* inner = Sum();
        if (Peek() != ')')
        {
            throw Unexpected();
        }

        _at++;
        return inner;
    }

    private Node* Variable()
    {
        _at++;
        return New(Node.Variable, null, null);
    }

    private Node* Number()
    {
        int start = _at;
        while (_at < _text.Length && (char.IsAsciiDigit(_text[_at]) || _text[_at] == '.'))
        {
            _at++;
        }

        Node* node = New(Node.Number, null, null);
        return double.TryParse(_text[start.._at], CultureInfo.InvariantCulture, out node->Value)
            ? node
            : throw new FormatException($"\"{_text[start.._at]}\" at position {start} is no number.");
    }

    /// <summary>An addition to a pointer, in most calls. Nothing is freed singly.</summary>
    private readonly Node* New(char kind, Node* left, Node* right)
    {
        Node* node = (Node*)_scope.Allocate((nuint)sizeof(Node));
        *node = new Node { Kind = kind, Left = left, Right = right };
        return node;
    }

    /// <summary>The next character that is no space; 0 at the end.</summary>
    private char Peek()
    {
        while (_at < _text.Length && _text[_at] == ' ')
        {
            _at++;
        }

        return _at < _text.Length ? _text[_at] : '\0';
    }

    private readonly FormatException Unexpected() => new(
        _at < _text.Length
            ? $"'{_text[_at]}' at position {_at} is not expected in the formula \"{_text}\"."
            : $"The formula \"{_text}\" ends too early.");
}

namespace Samples;

/// <summary>A node of a formula. It lies in native memory, so its children are pointers, and the garbage collector never sees it.</summary>
internal unsafe struct Node
{
    internal const char Number = 'n';
    internal const char Variable = 'x';
    internal const char Negation = '~';

    /// <summary>An operator (+ - * /), or one of the constants above.</summary>
    internal char Kind;

    internal double Value;

    internal Node* Left;

    /// <summary>Null unless the node is an operator with two operands.</summary>
    internal Node* Right;

    /// <summary>Returns the formula's value for a value of its variable.</summary>
    internal static double Evaluate(Node* node, double x) => node->Kind switch
    {
        Number => node->Value,
        Variable => x,
        Negation => -Evaluate(node->Left, x),
        '+' => Evaluate(node->Left, x) + Evaluate(node->Right, x),
        '-' => Evaluate(node->Left, x) - Evaluate(node->Right, x),
        '*' => Evaluate(node->Left, x) * Evaluate(node->Right, x),
        _ => Evaluate(node->Left, x) / Evaluate(node->Right, x),
    };
}

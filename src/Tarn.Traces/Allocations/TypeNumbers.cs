namespace Tarn.Traces;

/// <summary>Numbers types in the order in which they are first seen.</summary>
internal sealed class TypeNumbers
{
    private readonly Dictionary<string, int> _numbers = [];
    private readonly List<string> _types = [];

    /// <summary>The types in the order of their numbers.</summary>
    internal IReadOnlyList<string> Types => _types;

    /// <summary>The number of a type.</summary>
    internal int Of(string type)
    {
        if (!_numbers.TryGetValue(type, out int number))
        {
            _numbers.Add(type, number = _types.Count);
            _types.Add(type);
        }

        return number;
    }
}

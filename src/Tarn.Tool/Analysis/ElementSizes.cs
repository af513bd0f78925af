using Tarn.Traces;

namespace Tarn.Tool.Analysis;

/// <summary>The size of a pool's elements. Events count elements; the element type is in the stacks of the pool's methods.</summary>
internal sealed class ElementSizes
{
    private static readonly (int Size, string[] Elements)[] s_sizes =
    [
        (1, ["Byte", "SByte", "Boolean"]),
        (2, ["Char", "Int16", "UInt16", "Half"]),
        (4, ["Int32", "UInt32", "Single"]),
        (8, ["Int64", "UInt64", "Double", "IntPtr", "UIntPtr", "__Canon", "String", "Object"]),
        (16, ["Decimal", "Guid", "Int128", "UInt128"]),
    ];

    private static readonly Dictionary<string, int> s_known = s_sizes
        .SelectMany(size => size.Elements, (size, element) => (Element: $"System.{element}", size.Size))
        .ToDictionary(one => one.Element, one => one.Size);

    private readonly int[] _sizes;

    public ElementSizes(IReadOnlyList<TracedPool> pools)
    {
        _sizes = [.. pools.Select(pool => s_known.GetValueOrDefault(pool.Element, 1))];
        HasAssumed = pools.Any(pool => !s_known.ContainsKey(pool.Element));
    }

    /// <summary>Whether elements of a pool are taken for bytes, because their type is unknown.</summary>
    public bool HasAssumed { get; }

    /// <summary>The bytes of a buffer.</summary>
    public long Bytes(int pool, int length) => (long)_sizes[pool] * length;
}

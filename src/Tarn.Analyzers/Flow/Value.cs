namespace Tarn.Analyzers.Flow;

/// <summary>Describes the known facts about a value on a path, and the resources it refers to.</summary>
/// <param name="Kind">The kind of value.</param>
/// <param name="Resources">A bit for each resource: one, or several for <see cref="ValueKind.Work"/>, or none.</param>
internal readonly record struct Value(ValueKind Kind, ulong Resources)
{
    private readonly bool _isToEnd;

    internal static Value Unknown => default;

    internal static Value Null => new(ValueKind.Null, 0);

    internal static Value NotNull => new(ValueKind.NotNull, 0);

    internal static Value Fresh => new(ValueKind.Fresh, 0);

    /// <summary>Returns a fresh object that holds memory of some resources, or of none.</summary>
    internal static Value Wrapped(ulong resources) => resources == 0 ? NotNull : new Value(ValueKind.Wrapper, resources);

    /// <summary>Gets a value indicating whether it reaches to the end of the resource, however long that is.</summary>
    internal bool IsToEnd
    {
        get => Kind == ValueKind.Whole || _isToEnd;
        init => _isToEnd = value;
    }

    /// <summary>Gets a value indicating whether it refers to memory of a resource.</summary>
    internal bool IsOfResource => Kind is ValueKind.Whole or ValueKind.Part or ValueKind.Holder;

    /// <summary>Gets whether it is null; null if that is not known.</summary>
    internal bool? IsNull => Kind switch
    {
        ValueKind.Unknown or ValueKind.True or ValueKind.False or ValueKind.Outcome => null,
        ValueKind.Null => true,
        _ => false,
    };

    internal static Value Of(bool value) => new(value ? ValueKind.True : ValueKind.False, 0);

    /// <summary>Gets what it tells, the number of an outcome.</summary>
    internal int Outcome { get; init; }

    /// <summary>Returns whether it refers to a resource.</summary>
    internal bool Has(int resource) => Kind != ValueKind.Outcome && (Resources & (1UL << resource)) != 0;

    internal static Value Whole(int resource) => new(ValueKind.Whole, 1UL << resource);

    /// <summary>Returns a value of another kind that refers to the same memory.</summary>
    internal Value As(ValueKind kind) => new(kind, Resources) { IsToEnd = IsToEnd };

    /// <summary>Gets the index of its only resource.</summary>
    internal int Resource
    {
        get
        {
            int index = 0;
            for (ulong bits = Resources; (bits & 1) == 0; bits >>= 1)
            {
                index++;
            }

            return index;
        }
    }
}

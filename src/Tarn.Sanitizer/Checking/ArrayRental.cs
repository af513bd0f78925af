using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn.Sanitizing.Checking;

/// <summary>A rent of an array of these elements.</summary>
internal sealed class ArrayRental<T> : Rental
{
    private static readonly ConditionalWeakTable<T[], ArrayRental<T>> s_rentals = [];

    /// <summary>Belongs to the element type, so that an assembly that was unloaded takes it along.</summary>
    private static readonly Func<IEnumerable<(Rental Rental, Array Array)>> s_list =
        static () => s_rentals.Select(static pair => ((Rental)pair.Value, (Array)pair.Key));

    private T[]? _held;

    static ArrayRental() => Rentals.Add(s_list);

    internal ArrayRental(Checker checker, object pool, string poolName, int length, T[] array, RecordedStack rentedAt)
        : base(checker, pool, poolName, length, (long)array.Length * Unsafe.SizeOf<T>(), rentedAt) => s_rentals.Add(array, this);

    /// <summary>Finds the rent of an array.</summary>
    internal static bool TryFind(T[] array, [NotNullWhen(true)] out ArrayRental<T>? rental) => s_rentals.TryGetValue(array, out rental);

    /// <summary>Holds the returned array, whose elements are the pattern.</summary>
    internal void Hold(T[] array) => Volatile.Write(ref _held, array);

    internal override void Release() => _held = null;

    protected override string? FindWrite()
    {
        if (Volatile.Read(ref _held) is not { } array)
        {
            return null;
        }

        int element = Poison.FindDisturbed(array);
        if (element < 0)
        {
            return null;
        }

        string bytes = Poison.Show(array, element);
        return $"element {element} of {array.Length} was written" + (bytes.Length == 0 ? "." : $"; the bytes from there on are {bytes}.");
    }
}

using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Arrays of a pool that count in a budget of their owner's. What is taken for an array is the size of the array.</summary>
/// <remarks>
/// The array tells what it took, so whoever returns it returns exactly that, on any thread, and nothing else has to be kept beside it.
/// </remarks>
internal sealed class BudgetedArrays<T>(BufferPool<T> pool, BufferBudget budget) : IArrayOrigin<T>
{
    /// <summary>Makes what is needed of a pool and a budget; null without a budget.</summary>
    internal static BudgetedArrays<T>? Of(BufferPool<T> pool, BufferBudget? budget) =>
        budget is null ? null : new BudgetedArrays<T>(pool, budget);

    /// <summary>The bytes that an array of a length takes.</summary>
    internal static long SizeOf(int length) => (long)length * Unsafe.SizeOf<T>();

    /// <summary>Rents an array of at least <paramref name="length"/> elements, and takes its size on an owner's terms.</summary>
    /// <exception cref="BufferBudgetExceededException">A budget has no room, this one or the pool's; nothing has changed.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; nothing has changed.</exception>
    internal static T[] Rent(BufferPool<T> pool, BufferBudget budget, int length, in BudgetTerms terms)
    {
        length = pool.LengthOfRent(length);
        BudgetCredit.Take(budget, SizeOf(length), terms);
        try
        {
            // Exactly: a pool at its cap may otherwise hand out a longer array, which was not taken.
            return pool.RentExact(length);
        }
        catch
        {
            BudgetCredit.Return(budget, SizeOf(length));
            throw;
        }
    }

    /// <summary>Rents an array of the elements that are wanted or, where there is no room, of fewer, down to those needed.</summary>
    /// <param name="needed">The least length.</param>
    /// <param name="wanted">The length to rent where the budget has room.</param>
    /// <param name="held">The length of the array that the owner keeps until it has this one, for the exception.</param>
    /// <inheritdoc cref="Rent(BufferPool{T}, BufferBudget, int, in BudgetTerms)" path="/exception"/>
    internal T[] Rent(int needed, int wanted, int held = 0)
    {
        int length = budget.Fit(
            needed, wanted, spared: 0, pool, static (source, elements) => SizeOf(source.LengthOfRent(elements)));
        return Rent(pool, budget, length, new BudgetTerms { Held = SizeOf(held) });
    }

    /// <summary>Creates what the bytes of an array move to when the array does.</summary>
    internal BudgetShare CreateShare() => new(budget, 0);

    /// <inheritdoc/>
    public void TakeBack(T[] array)
    {
        try
        {
            pool.Return(array, clearArray: RuntimeHelpers.IsReferenceOrContainsReferences<T>());
        }
        finally
        {
            BudgetCredit.Return(budget, SizeOf(array.Length));
        }
    }
}

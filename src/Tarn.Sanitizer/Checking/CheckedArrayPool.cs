using System.Buffers;
using System.Runtime.CompilerServices;
using Tarn.Sanitizing.Checking.Reporting;

namespace Tarn.Sanitizing.Checking;

/// <summary>
/// Serves in place of a pool of the framework. Every rent gets a new array. A returned one is filled with the pattern and kept in
/// quarantine. A correct program sees no difference: lengths, errors and clearing are the original's.
/// </summary>
/// <remarks>
/// The methods that record stacks are compiled once, optimized, so that their addresses are the same in each stack
/// (<see cref="FrameChain"/>).
/// </remarks>
internal sealed class CheckedArrayPool<T>(Checker checker, ArrayPool<T> original) : ArrayPool<T>
{
    private const MethodImplOptions Fixed = MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization;

    private readonly PoolShape _shape = PoolShape.Of(original);
    private readonly string _name = checker.NameOf(original, typeof(T));

    /// <summary>Whether a rent was watched. Before the first one, an unknown array may have been rented before the checks began.</summary>
    private bool _hasRented;

    [MethodImpl(Fixed)]
    public override T[] Rent(int minimumLength)
    {
        if (minimumLength <= 0 || Inside.IsTrue || !checker.PicksNext())
        {
            return RentOriginal(minimumLength);
        }

        Inside.Enter();
        try
        {
            RecordedStack stack = checker.Stacks.Record();
            checker.ListSite(SiteRole.Rents, stack);
            T[] array = new T[checker.Options.Exact.Has(stack) ? minimumLength : _shape.LengthFor(minimumLength)];
            _ = new ArrayRental<T>(checker, this, _name, minimumLength, array, stack);
            if (ArraySource<T>.EveryPatternIsValid && checker.Options.PoisonRents.Has(stack))
            {
                Poison.Fill(array);
            }

            _hasRented = true;
            checker.CountRent();
            return array;
        }
        finally
        {
            Inside.Leave();
        }
    }

    [MethodImpl(Fixed)]
    public override void Return(T[] array, bool clearArray = false)
    {
        if (array is null || array.Length == 0 || Inside.IsTrue)
        {
            ReturnOriginal(array!, clearArray);
            return;
        }

        Incident? incident;
        string message = "";
        Inside.Enter();
        try
        {
            bool isKnown = ArrayRental<T>.TryFind(array, out ArrayRental<T>? rental);
            if (!isKnown && (!_hasRented || checker.Options.Sample > 1))
            {
                ReturnOriginal(array, clearArray);
                return;
            }

            RecordedStack stack = checker.Stacks.Record();
            incident = isKnown ? TakeBack(array, rental!, stack, clearArray) : Foreign(array, stack);
            if (incident is not null)
            {
                checker.Report(incident);
                message = $"tarn: {incident.Headline}";
            }
        }
        finally
        {
            Inside.Leave();
        }

        if (incident is not null)
        {
            Refuse(incident, message, array);
        }
    }

    private Incident? TakeBack(T[] array, ArrayRental<T> rental, RecordedStack stack, bool clears)
    {
        if (!rental.TryReturn(stack))
        {
            return new Incident(IncidentKind.ReturnedTwice, rental) { At = stack };
        }

        checker.CountReturn();
        checker.ListSite(SiteRole.Returns, stack);
        if (checker.Options.Poison.Has(stack))
        {
            Poison.Fill(array);
            if (checker.Quarantine.Accepts(rental.Bytes) && !typeof(T).IsCollectible)
            {
                rental.Hold(array);
                checker.Quarantine.Add(rental);
            }
        }
        else if (clears)
        {
            Array.Clear(array);
        }

        return rental.Pool == this ? null : new Incident(IncidentKind.WrongPool, rental) { At = stack, Detail = $"It went to {_name}." };
    }

    private Incident Foreign(T[] array, RecordedStack stack) =>
        new(IncidentKind.NeverRented, typeof(T), array.Length, (long)array.Length * Unsafe.SizeOf<T>(), _name) { At = stack };

    /// <summary>Throws what the original throws, or what the user asked for. Else the return does nothing.</summary>
    private void Refuse(Incident incident, string message, T[] array)
    {
        if (incident.Kind == IncidentKind.NeverRented && !_shape.Takes(array.Length))
        {
            ReturnOriginal(array, clears: false);
        }

        if (checker.Options.Throws)
        {
            throw new InvalidOperationException(message);
        }
    }

    private T[] RentOriginal(int minimumLength)
    {
        Inside.Enter();
        try
        {
            return original.Rent(minimumLength);
        }
        finally
        {
            Inside.Leave();
        }
    }

    private void ReturnOriginal(T[] array, bool clears)
    {
        Inside.Enter();
        try
        {
            original.Return(array, clears);
        }
        finally
        {
            Inside.Leave();
        }
    }
}

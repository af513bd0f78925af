using System.Runtime.CompilerServices;

namespace Tarn;

/// <content>Rents while sampling is on. Returns need nothing: see <see cref="RentSampled"/>.</content>
public sealed partial class BufferPool<T>
{
    private const string Kind = "array pool";

    /// <summary>From here on, no length that is one more than a class's is a class's itself.</summary>
    private const int ShortestOddLength = 9;

    /// <summary>
    /// The offset of the pool's section in a thread's directory for rents while sampling closes the gate for them; otherwise 0.
    /// </summary>
    private nint _countedGate;

    private volatile bool _isSampled;

    /// <inheritdoc/>
    void IBufferSource.OnSamplingChanged(bool isSampled)
    {
        _isSampled = isSampled;
        SetGate();
    }

    /// <summary>
    /// The hit while sampling is on: counts the rent, then takes a buffer as <see cref="Rent"/> does. The entry is remembered, so a return
    /// hits as usual.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private T[] RentCounted(int minimumLength)
    {
        nint directory = PoolThreads.Local.Directory;
        if (directory != 0)
        {
            nint address = AddressIn(directory, SizeClass.IndexOf(minimumLength, _quarterMask), _countedGate);
            ref CacheEntry entry = ref EntryAt(address);
            if (entry.Length != 0 && SampleCountdown.Passes((long)entry.Length * Unsafe.SizeOf<T>()))
            {
                PoolThreads.Local.Last = address;
                if (entry.IsTopFree != 0 && entry.Top is { } top)
                {
                    entry.IsTopFree = 0;
                    entry.Rented++;
                    return Unsafe.As<T[]>(top);
                }

                return TryPop(ref entry, out T[]? array) ? array : RentUncounted(minimumLength);
            }
        }

        return RentCountedSlow(minimumLength);
    }

    private T[] RentCountedSlow(int minimumLength)
    {
        int length = minimumLength > _core.MaxLength ? minimumLength : _core.LengthOf(_core.IndexOf(minimumLength));
        return SampleCountdown.Passes(SizeOf(length)) ? RentUncounted(minimumLength) : RentSampled(minimumLength, length);
    }

    /// <summary>Hands out an array and samples its rent.</summary>
    /// <remarks>
    /// The array is one longer than those of its class, so it has a length of no class, and its return takes the slow path, where samples
    /// are looked up; arrays of classes are returned without a look. Like arrays of exact lengths, these have their own shelf.
    /// </remarks>
    private T[] RentSampled(int minimumLength, int length)
    {
        T[] array = _alwaysSlow || minimumLength > _core.MaxLength
            ? RentUncounted(minimumLength)
            : TryRentOdd(Math.Max(length + 1, ShortestOddLength)) ?? RentUncounted(minimumLength);
        TakeSample(array, SizeOf(length), minimumLength);
        return array;
    }

    /// <summary>Rents an array of exactly this length, which belongs to no class; null if there is no memory for one.</summary>
    private T[]? TryRentOdd(int length)
    {
        try
        {
            return HandUncached(
                Unsafe.As<T[]>(_core.Exact.Take(length)), length, TarnEventSource.AllocationReason.PoolExhausted, NoClass);
        }
        catch (OutOfMemoryException)
        {
            return null;
        }
    }

    /// <summary>Rents for <see cref="RentExact"/>, and samples the rent if it is due.</summary>
    private T[] RentExactCounted(int length)
    {
        bool passes = SampleCountdown.Passes(SizeOf(length));
        T[] array = RentExactUncounted(length);
        if (!passes)
        {
            TakeSample(array, SizeOf(length), length);
        }

        return array;
    }

    /// <summary>Samples a rent, and follows the array to its return if that takes the slow path.</summary>
    private void TakeSample(T[] array, long bytes, int askedLength)
    {
        if (BufferSampling.Take(_name, Kind, _core.EventId, bytes, SizeOf(askedLength)) is not { } sample)
        {
            return;
        }

        if (!_alwaysSlow && _core.IsClassLength(array.Length))
        {
            sample.End(SampleEnd.NotFollowed);
            return;
        }

        try
        {
            FollowedArrays.Add(array, sample);
        }
        catch (OutOfMemoryException)
        {
            sample.End(SampleEnd.NotFollowed);
        }
    }

    private static long SizeOf(int length) => (long)length * Unsafe.SizeOf<T>();
}

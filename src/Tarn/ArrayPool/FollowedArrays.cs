using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>The arrays whose rents were sampled, until they are returned or collected.</summary>
/// <remarks>
/// The table is weak: it keeps no array alive, and each sample lives as long as its array. Only slow paths look in it
/// (<see cref="BufferPool{T}"/>, <c>RentSampled</c>). All members are safe to call from any thread.
/// </remarks>
internal static class FollowedArrays
{
    private static readonly ConditionalWeakTable<Array, Sample> s_samples = [];
    private static volatile bool s_isUsed;

    /// <summary>Allocates the table, while there is memory for it.</summary>
    internal static void Prepare() => GC.KeepAlive(s_samples);

    /// <summary>Follows an array that is being handed out.</summary>
    internal static void Add(Array array, Sample sample)
    {
        s_isUsed = true;
        Uninterrupted.Call(static add => s_samples.AddOrUpdate(add.Array, add.Sample), (Array: array, Sample: sample));
    }

    /// <summary>Ends the sample of a returned array. Returns false if the array is not followed.</summary>
    internal static bool TryEnd(Array array)
    {
        if (!s_isUsed || !s_samples.TryGetValue(array, out Sample? sample))
        {
            return false;
        }

        Uninterrupted.Call(static ended => s_samples.Remove(ended), array);
        sample.End(SampleEnd.Returned);
        return true;
    }
}

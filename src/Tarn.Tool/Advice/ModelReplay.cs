using Tarn.Traces;

namespace Tarn.Tool.Advice;

/// <summary>Sends the rents and returns that a recording has of one pool through a model, in their order.</summary>
internal static class ModelReplay
{
    /// <param name="trace">The recording.</param>
    /// <param name="pool">The number of the recorded pool.</param>
    /// <param name="model">The pool that is asked, which is changed.</param>
    /// <remarks>
    /// A recording has the lengths that were given. Of the BCL's pools they are powers of two, so that any length asked for leads to the
    /// same bucket. Buffers that were not returned are not returned here.
    /// </remarks>
    public static ReplayResult Run(BufferTrace trace, int pool, IPoolModel model)
    {
        ReadOnlySpan<BufferEvent> events = trace.Events;
        var given = new Dictionary<int, int>();
        long rented = 0;
        long allocated = 0;
        long dropped = 0;
        long most = 0;
        for (int index = 0; index < events.Length; index++)
        {
            BufferEvent one = events[index];
            if (one.Pool != pool)
            {
                continue;
            }

            if (one.IsRent)
            {
                (int length, bool isAllocated) = model.Rent(one.Thread, one.Length);
                given.Add(index, length);
                rented++;
                allocated += isAllocated ? 1 : 0;
            }
            else
            {
                _ = given.Remove(one.Rent, out int length);
                dropped += model.Return(one.Thread, length) ? 0 : 1;
            }

            most = Math.Max(most, model.Retained);
        }

        return new ReplayResult(model.Name, rented, allocated, dropped, most);
    }
}

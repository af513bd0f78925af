// DarkWanderer/ClickHouse.Client#635: after a last batch that was full, the array for the next one was rented and never used.
// The fix returns an array that nothing was put into.
using System;
using System.Buffers;
using System.Collections.Generic;

internal static class Batches
{
    internal static IEnumerable<(T[] Items, int Count)> BatchRented<T>(this IEnumerable<T> source, int batchSize)
    {
        var array = ArrayPool<T>.Shared.Rent(batchSize);
        int counter = 0;

        foreach (var item in source)
        {
            array[counter++] = item;

            if (counter >= batchSize)
            {
                yield return (array, counter);
                counter = 0;
                array = ArrayPool<T>.Shared.Rent(batchSize);
            }
        }

        if (counter > 0)
        {
            yield return (array, counter);
        }

        if (counter == 0)
        {
            ArrayPool<T>.Shared.Return(array);
        }
    }
}

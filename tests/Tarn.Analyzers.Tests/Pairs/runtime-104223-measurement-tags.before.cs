// dotnet/runtime#104223 (Measurement<T>, the copy of its tags; the thread tells the lost return, the shape is reduced).
// When the finally around the copy had been removed, one way out of the method was left without a return of the rented
// array. The fix returns it on every way.
using System;
using System.Buffers;
using System.Collections.Generic;

internal static class Tags
{
    private static readonly KeyValuePair<string, object?>[] s_empty = Array.Empty<KeyValuePair<string, object?>>();

    internal static KeyValuePair<string, object?>[] ToArray(IEnumerable<KeyValuePair<string, object?>>? tags)
    {
        if (tags is null)
        {
            return s_empty;
        }

        if (tags is ICollection<KeyValuePair<string, object?>> collection)
        {
            KeyValuePair<string, object?>[] items = new KeyValuePair<string, object?>[collection.Count];
            collection.CopyTo(items, 0);
            return items;
        }

        KeyValuePair<string, object?>[] array = ArrayPool<KeyValuePair<string, object?>>.Shared.Rent(32); // expect TARN011
        int count = 0;
        foreach (KeyValuePair<string, object?> tag in tags)
        {
            if (count == array.Length)
            {
                KeyValuePair<string, object?>[] larger = ArrayPool<KeyValuePair<string, object?>>.Shared.Rent(count * 2);
                array.CopyTo(larger, 0);
                ArrayPool<KeyValuePair<string, object?>>.Shared.Return(array, clearArray: true);
                array = larger;
            }

            array[count++] = tag;
        }

        if (count == 0)
        {
            return s_empty;
        }

        KeyValuePair<string, object?>[] result = array.AsSpan(0, count).ToArray();
        ArrayPool<KeyValuePair<string, object?>>.Shared.Return(array, clearArray: true);
        return result;
    }
}

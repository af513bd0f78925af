// DarkWanderer/ClickHouse.Client#519: batches of rows, arrays of arrays, were returned to the pool for arrays of objects, so others got arrays that
// took no objects. The fix keeps and returns them as what they are.
using System;
using System.Buffers;
using System.Collections.Generic;

internal sealed class BulkCopy(int batchSize)
{
    private IEnumerable<Batch> IntoBatches(IReadOnlyList<object[]> rows, string query)
    {
        for (int start = 0; start < rows.Count; start += batchSize)
        {
            int size = Math.Min(batchSize, rows.Count - start);
            object[][] batch = ArrayPool<object[]>.Shared.Rent(batchSize);
            for (int i = 0; i < size; i++)
            {
                batch[i] = rows[start + i];
            }

            yield return new Batch { Rows = batch, Size = size, Query = query };
        }
    }

    private struct Batch : IDisposable
    {
        public object[]? Rows;
        public int Size;
        public string Query;

        public void Dispose()
        {
            if (Rows != null)
            {
                Array.Clear(Rows, 0, Size);
                ArrayPool<object>.Shared.Return(Rows); // a reader sees TARN008
                Rows = null;
            }
        }
    }
}

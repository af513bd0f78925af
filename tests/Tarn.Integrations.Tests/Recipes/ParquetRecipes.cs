using System.Buffers;
using Parquet;
using Parquet.Schema;

namespace Tarn.Integrations.Tests.Recipes;

public sealed class ParquetRecipes
{
    [Fact]
    public async Task A_column_goes_through_a_pooled_stream_to_leased_memory()
    {
        long[] prices = [.. Enumerable.Range(0, 100_000).Select(static i => i * 3L)];

        #region Parquet.Net
        DataField<long> price = new("price");
        using PooledMemoryStream file = new();
        await using (ParquetWriter writer = await ParquetWriter.CreateAsync(new ParquetSchema(price), file))
        using (ParquetRowGroupWriter rows = writer.CreateRowGroup())
        {
            await rows.WriteAsync<long>(price, prices);
            rows.CompleteValidate();
        }

        file.Position = 0;
        await using ParquetReader reader = await ParquetReader.CreateAsync(file);
        using ParquetRowGroupReader group = reader.OpenRowGroupReader(0);
        using IMemoryOwner<long> column = BufferPool<long>.Shared.LeaseMemory((int)group.RowCount);
        await group.ReadAsync<long>(price, column.Memory);
        #endregion

        Assert.Equal(prices, column.Memory.ToArray());
    }
}

using System.Data;
using Npgsql;
using NpgsqlTypes;

namespace Tarn.Integrations.Tests.Recipes;

/// <summary>The recipes run against a server that speaks as much of PostgreSQL's protocol as they need.</summary>
public sealed class NpgsqlRecipes
{
    [Fact]
    public async Task A_column_is_written_from_a_pooled_stream_and_read_into_one()
    {
        byte[] stored = new byte[200_000];
        Random.Shared.NextBytes(stored);
        using PostgresServer server = new();
        await using NpgsqlDataSource database = NpgsqlDataSource.Create(server.ConnectionString);
        await StoreAsync(database, stored);
        Assert.Equal(stored, server.Stored);
        Assert.Equal(stored, await LoadAsync(database));
    }

    private static async Task StoreAsync(NpgsqlDataSource database, byte[] bytes)
    {
        int id = 1;

        #region Npgsql, write
        using PooledMemoryStream contents = new();
        contents.Write(bytes);
        contents.Position = 0;
        await using NpgsqlCommand insert = database.CreateCommand("insert into files (id, contents) values ($1, $2)");
        insert.Parameters.Add(new NpgsqlParameter { Value = id });
        insert.Parameters.Add(new NpgsqlParameter { Value = contents, NpgsqlDbType = NpgsqlDbType.Bytea });
        await insert.ExecuteNonQueryAsync();
        #endregion
    }

    private static async Task<byte[]> LoadAsync(NpgsqlDataSource database)
    {
        int id = 1;

        #region Npgsql, read
        await using NpgsqlCommand select = database.CreateCommand("select contents from files where id = $1");
        select.Parameters.Add(new NpgsqlParameter { Value = id });
        await using NpgsqlDataReader reader = await select.ExecuteReaderAsync(CommandBehavior.SequentialAccess);
        using PooledMemoryStream contents = new();
        while (await reader.ReadAsync())
        {
            await using Stream column = await reader.GetStreamAsync(0);
            await contents.CopyFromAsync(column);
        }
        #endregion

        return contents.ToArray();
    }
}

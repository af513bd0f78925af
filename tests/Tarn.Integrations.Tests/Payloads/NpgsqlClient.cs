using System.Data;
using Npgsql;
using Tarn.Integrations.Tests.Recipes;

namespace Tarn.Integrations.Tests.Payloads;

/// <summary>A column of bytes is read.</summary>
internal sealed class NpgsqlClient : PayloadClient
{
    private readonly PostgresServer _server = new();
    private readonly NpgsqlDataSource _database;

    public NpgsqlClient()
    {
        _database = NpgsqlDataSource.Create(_server.ConnectionString);
        using NpgsqlCommand insert = _database.CreateCommand("insert into files (id, contents) values ($1, $2)");
        insert.Parameters.Add(new NpgsqlParameter { Value = 1 });
        insert.Parameters.Add(new NpgsqlParameter { Value = Report });
        insert.ExecuteNonQuery();
    }

    internal override async Task UsualAsync()
    {
        await using NpgsqlCommand select = Select();
        AssertArrived((byte[])(await select.ExecuteScalarAsync())!);
    }

    internal override async Task WithTarnAsync()
    {
        await using NpgsqlCommand select = Select();
        await using NpgsqlDataReader reader = await select.ExecuteReaderAsync(CommandBehavior.SequentialAccess);
        using PooledMemoryStream contents = new();
        while (await reader.ReadAsync())
        {
            await using Stream column = await reader.GetStreamAsync(0);
            await contents.CopyFromAsync(column);
        }

        AssertArrived(contents.GetReadOnlySequence());
    }

    public override async ValueTask DisposeAsync()
    {
        await _database.DisposeAsync();
        _server.Dispose();
    }

    private NpgsqlCommand Select()
    {
        NpgsqlCommand select = _database.CreateCommand("select contents from files where id = $1");
        select.Parameters.Add(new NpgsqlParameter { Value = 1 });
        return select;
    }
}

using System.Buffers;
using System.Diagnostics.Metrics;
using Microsoft.AspNetCore.Connections;

namespace Tarn;

/// <summary>Creates the memory pools of servers: the blocks of each asker have a pool, a cap and metrics of their own.</summary>
internal sealed class ServerMemoryPoolFactory : IMemoryPoolFactory<byte>
{
    /// <summary>The name of an asker that gives none.</summary>
    private const string Unnamed = "unnamed";

    private readonly TarnServerOptions _options;
    private readonly Lock _lock = new();

    /// <summary>The blocks of each asker and the number of pools it has not disposed. Guarded by the lock.</summary>
    private readonly Dictionary<string, (BlockPool Blocks, int Users)> _askers = new(StringComparer.Ordinal);

    public ServerMemoryPoolFactory(TarnServerOptions options, IMeterFactory meters)
    {
        _options = options;
        ServerMeter.Create(meters, this);
    }

    /// <inheritdoc/>
    public MemoryPool<byte> Create(MemoryPoolOptions? options = null)
    {
        string owner = options?.Owner is { Length: > 0 } name ? name : Unnamed;
        lock (_lock)
        {
            (BlockPool? blocks, int users) = _askers.GetValueOrDefault(owner);
            blocks ??= new BlockPool(owner, _options);
            _askers[owner] = (blocks, users + 1);
            return new ServerMemoryPool(blocks, End);
        }
    }

    /// <summary>The blocks of every asker that has a pool, by name.</summary>
    internal BlockPool[] GetPools()
    {
        lock (_lock)
        {
            return [.. _askers.Values.Select(asker => asker.Blocks).OrderBy(blocks => blocks.Owner, StringComparer.Ordinal)];
        }
    }

    internal BlockPoolSnapshot[] GetSnapshots() => Array.ConvertAll(GetPools(), static pool => pool.GetSnapshot());

    private void End(BlockPool blocks)
    {
        lock (_lock)
        {
            int users = _askers[blocks.Owner].Users - 1;
            if (users > 0)
            {
                _askers[blocks.Owner] = (blocks, users);
                return;
            }

            _askers.Remove(blocks.Owner);
        }

        blocks.Trim();
    }
}

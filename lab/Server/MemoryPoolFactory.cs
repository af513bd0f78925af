using System.Buffers;
using System.Globalization;
using Microsoft.AspNetCore.Connections;

namespace Tarn.Lab.Server;

/// <summary>Gives Kestrel the memory pool that <see cref="BufferPool{T}.AsMemoryPool()"/> returns.</summary>
internal sealed class MemoryPoolFactory(MemoryPool<byte> pool) : IMemoryPoolFactory<byte>
{
    /// <param name="blockBytes">
    /// The size of pinned blocks from a pool without thread caches; null selects the shared pool and its defaults.
    /// </param>
    public static MemoryPoolFactory Create(string? blockBytes)
    {
        if (blockBytes is null)
        {
            return new MemoryPoolFactory(BufferPool<byte>.Shared.AsMemoryPool());
        }

        int length = int.Parse(blockBytes, CultureInfo.InvariantCulture);
        BufferPool<byte> arrays = BufferPool<byte>.Create(
            new BufferPoolOptions { Name = "kestrel", Pinned = true, ThreadCaches = false });
        return new MemoryPoolFactory(arrays.AsMemoryPool(length, length));
    }

    public MemoryPool<byte> Create(MemoryPoolOptions? options = null) => pool;
}

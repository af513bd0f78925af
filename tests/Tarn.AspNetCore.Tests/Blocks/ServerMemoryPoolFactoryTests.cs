using System.Buffers;
using Microsoft.AspNetCore.Connections;
using Tarn.AspNetCore.Tests.Support;
using Tarn.Diagnostics;

namespace Tarn.AspNetCore.Tests.Blocks;

public class ServerMemoryPoolFactoryTests
{
    private readonly ServerMemoryPoolFactory _factory = new(new TarnServerOptions { Checks = BufferChecks.None }, new NoMeters());

    [Fact]
    public void Each_asker_has_blocks_of_its_own_under_its_name()
    {
        using MemoryPool<byte> first = Create("factory test one");
        using MemoryPool<byte> again = Create("factory test one");
        using MemoryPool<byte> other = Create("factory test two");
        using IMemoryOwner<byte> one = first.Rent();
        using IMemoryOwner<byte> two = again.Rent();
        using IMemoryOwner<byte> three = other.Rent();

        Assert.Equal(["factory test one", "factory test two"], _factory.GetSnapshots().Select(pool => pool.Owner));
        Assert.Equal([2 * BlockPool.LargeBytes, BlockPool.LargeBytes], _factory.GetSnapshots().Select(pool => pool.InUseBytes));
        BufferSourceSnapshot source =
            Assert.Single(BufferDiagnostics.GetSources(), source => source.Name == "factory test one");
        Assert.Equal(2 * BlockPool.LargeBytes, source.InUseBytes);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    public void An_asker_without_a_name_is_called_so(string? owner)
    {
        using MemoryPool<byte> pool = _factory.Create(new MemoryPoolOptions { Owner = owner });
        using MemoryPool<byte> plain = _factory.Create();

        Assert.Equal("unnamed", Assert.Single(_factory.GetSnapshots()).Owner);
    }

    [Fact]
    public void A_disposed_pool_refuses_and_its_blocks_stay_valid_and_the_last_one_gives_all_idle_blocks_up()
    {
        MemoryPool<byte> pool = Create("a");
        MemoryPool<byte> last = Create("a");
        IMemoryOwner<byte> block = pool.Rent();
        last.Rent().Dispose();
        BlockPool blocks = Assert.Single(_factory.GetPools());

        pool.Dispose();
        pool.Dispose();
        Assert.Throws<ObjectDisposedException>(() => pool.Rent());
        Assert.Same(blocks, Assert.Single(_factory.GetPools()));
        block.Memory.Span.Fill(1);

        last.Dispose();
        Assert.Empty(_factory.GetPools());
        Assert.Equal(0, blocks.GetSnapshot().RetainedBytes);
        block.Dispose();
        Assert.Equal(0, blocks.GetSnapshot().InUseBytes);
    }

    private MemoryPool<byte> Create(string owner) => _factory.Create(new MemoryPoolOptions { Owner = owner });
}

using Microsoft.AspNetCore.Connections;
using Tarn.AspNetCore.Tests.Support;

namespace Tarn.AspNetCore.Tests.Blocks;

public sealed class IdleCollectorTests : IDisposable
{
    private const int Blocks = (int)(2 * IdleCollector.LeastBytes / BlockPool.LargeBytes);

    private readonly ManualTime _time = new();
    private readonly ServerMemoryPoolFactory _factory;
    private readonly IdleCollector _collector;
    private int _collections;

    public IdleCollectorTests()
    {
        TarnServerOptions options = new() { MaxPooledBytes = 1 << 30, IdleTimeout = TimeSpan.FromHours(1), Checks = BufferChecks.None };
        _factory = new ServerMemoryPoolFactory(options, new NoMeters());
        _factory.Create(new MemoryPoolOptions { Owner = "test" });
        _collector = new IdleCollector(_factory, options, _time, () => _collections++);
    }

    private BlockPool Pool => _factory.GetPools()[0];

    [Fact]
    public void It_collects_once_after_a_burst_whose_blocks_were_given_up()
    {
        Block[] burst = [.. Enumerable.Range(0, Blocks).Select(_ => Pool.Rent(-1))];
        Look();
        Array.ForEach(burst, block => block.Dispose());
        Look();
        Assert.Equal(0, _collections);

        Pool.Trim();
        Look();
        Look();
        Assert.Equal(1, _collections);
    }

    [Fact]
    public void It_collects_again_what_the_pool_gave_up_after_the_first_collection()
    {
        Block[] burst = [.. Enumerable.Range(0, 3 * Blocks).Select(_ => Pool.Rent(-1))];
        Look();
        Array.ForEach(burst[Blocks..], block => block.Dispose());
        Pool.Trim();
        Look();
        Assert.Equal(1, _collections);

        Array.ForEach(burst[..Blocks], block => block.Dispose());
        Pool.Trim();
        Look();
        Look();
        Assert.Equal(2, _collections);
    }

    [Fact]
    public void It_does_not_collect_for_little_memory_or_while_blocks_are_rented()
    {
        Block[] few = [.. Enumerable.Range(0, Blocks / 3).Select(_ => Pool.Rent(-1))];
        Look();
        Array.ForEach(few, block => block.Dispose());
        Pool.Trim();
        Look();
        Assert.Equal(0, _collections);

        Block[] burst = [.. Enumerable.Range(0, Blocks).Select(_ => Pool.Rent(-1))];
        Look();
        Array.ForEach(burst, block => block.Dispose());
        Pool.Trim();
        for (int time = 0; time <= IdleCollector.FewRents; time++)
        {
            Pool.Rent(-1).Dispose();
        }

        _time.Advance(TimeSpan.FromSeconds(1));
        _collector.Look();
        Assert.Equal(0, _collections);
    }

    [Fact]
    public async Task It_looks_twice_in_each_idle_timeout_until_it_is_stopped()
    {
        await _collector.StartAsync(CancellationToken.None);
        Block[] burst = [.. Enumerable.Range(0, Blocks).Select(_ => Pool.Rent(-1))];
        _time.Advance(TimeSpan.FromMinutes(30));
        Array.ForEach(burst, block => block.Dispose());
        Pool.Trim();
        _time.Advance(TimeSpan.FromMinutes(30));
        Assert.Equal(1, _collections);

        await _collector.StopAsync(CancellationToken.None);
        burst = [.. Enumerable.Range(0, Blocks).Select(_ => Pool.Rent(-1))];
        _time.Advance(TimeSpan.FromMinutes(30));
        Array.ForEach(burst, block => block.Dispose());
        Pool.Trim();
        _time.Advance(TimeSpan.FromHours(2));
        Assert.Equal(1, _collections);
    }

    public void Dispose() => _collector.Dispose();

    /// <summary>A look so long after the last one that no number of rents is many.</summary>
    private void Look()
    {
        _time.Advance(TimeSpan.FromHours(1));
        _collector.Look();
    }
}

using Microsoft.AspNetCore.Connections;
using Tarn.AspNetCore.Tests.Support;

namespace Tarn.AspNetCore.Tests.Blocks;

public sealed class IdleCollectorTests
{
    private readonly ManualTime _time = new();
    private readonly ServerMemoryPoolFactory _factory;
    private readonly TarnServerOptions _options =
        new() { MaxPooledBytes = 1 << 30, IdleTimeout = TimeSpan.FromHours(1), Checks = BufferChecks.None };

    public IdleCollectorTests()
    {
        _factory = new ServerMemoryPoolFactory(_options, new NoMeters());
        _factory.Create(new MemoryPoolOptions { Owner = "test" });
    }

    private BlockPool Pool => _factory.GetPools()[0];

    private static bool IsCollecting() => AppContext.TryGetSwitch("Tarn.IdleCollection", out bool isOn) && isOn;

    [Fact]
    public async Task It_turns_the_collection_of_the_process_on_if_the_options_ask_for_it()
    {
        bool before = IsCollecting();
        using (IdleCollector without = new(_factory, _options.With(options => options.CollectWhenIdle = false), _time))
        {
            await without.StartAsync(CancellationToken.None);
            Assert.Equal(before, IsCollecting());
        }

        using IdleCollector collector = new(_factory, _options, _time);
        await collector.StartAsync(CancellationToken.None);
        Assert.True(IsCollecting());
    }

    [Fact]
    public async Task It_drops_the_owners_of_a_burst_until_it_is_stopped()
    {
        using IdleCollector collector = new(_factory, _options, _time);
        await collector.StartAsync(CancellationToken.None);
        UseMany();
        Assert.Equal(1000, Pool.IdleOwners);
        _time.Advance(TimeSpan.FromMinutes(30));
        Assert.InRange(Pool.IdleOwners, 1, 999);

        await collector.StopAsync(CancellationToken.None);
        UseMany();
        _time.Advance(TimeSpan.FromHours(2));
        Assert.Equal(1000, Pool.IdleOwners);
    }

    /// <summary>A pool takes any timeout, and so must what looks after its owners: no timer waits half a year.</summary>
    [Fact]
    public async Task A_timeout_may_be_longer_than_a_timer_waits()
    {
        using IdleCollector collector = new(_factory, _options.With(options => options.IdleTimeout = TimeSpan.FromDays(365)));
        await collector.StartAsync(CancellationToken.None);
    }

    [Fact]
    public void It_leaves_as_many_owners_as_are_in_use()
    {
        Block[] burst = [.. Enumerable.Range(0, 2000).Select(_ => Pool.Rent(-1))];
        Array.ForEach(burst[1000..], static block => block.Dispose());
        Pool.TrimOwners();
        Assert.Equal(1000, Pool.IdleOwners);
    }

    private void UseMany()
    {
        Block[] burst = [.. Enumerable.Range(0, 1000).Select(_ => Pool.Rent(-1))];
        Array.ForEach(burst, static block => block.Dispose());
    }
}

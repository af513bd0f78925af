using Tarn.Tests.Support;

namespace Tarn.Tests.Caching;

public sealed class ThreadRegistryTests
{
    private readonly ThreadRegistry<object> _registry = new(static () => new object());

    [Fact]
    public void Each_thread_that_lives_has_a_cache_of_its_own()
    {
        using Worker first = new();
        using Worker second = new();
        object[] caches = [first.Run(_registry.Join), second.Run(_registry.Join), _registry.Join()];

        Assert.Equal(3, caches.Distinct().Count());
        Assert.Equal(caches, All());
    }

    [Fact]
    public void A_new_thread_takes_over_the_cache_of_one_that_ended()
    {
        object mine = _registry.Join();
        object left = JoinAndEnd();
        using Worker next = new();
        using Worker last = new();

        Assert.Same(left, next.Run(_registry.Join));
        Assert.NotSame(left, last.Run(_registry.Join));
        Assert.Equal(3, All().Count);
        Assert.Contains(mine, All());
    }

    [Fact]
    public void Caches_of_ended_threads_are_inherited_once_and_the_rest_stay()
    {
        object mine = _registry.Join();
        Worker early = new();
        Worker late = new();
        object earlyLeft = early.Run(_registry.Join);
        object lateLeft = late.Run(_registry.Join);
        early.Dispose();
        Assert.Equal([earlyLeft], Sweep());
        late.Dispose();
        Assert.Equal([lateLeft], Sweep());

        Assert.Empty(Sweep());
        Assert.Equal([mine], All());
    }

    [Fact]
    public void A_cache_that_was_taken_over_is_not_inherited()
    {
        JoinAndEnd();
        using Worker next = new();
        next.Run(_registry.Join);

        Assert.Empty(Sweep());
    }

    [Fact]
    public void Others_may_join_while_someone_inherits()
    {
        JoinAndEnd();
        int inherited = 0;
        _registry.Sweep(_ =>
        {
            inherited++;
            Assert.True(_registry.Inheritance.IsHeldByCurrentThread);
            Worker.RunOnce(() => _registry.Join());
        });

        Assert.Equal(1, inherited);
    }

    private object JoinAndEnd()
    {
        using Worker worker = new();
        return worker.Run(_registry.Join);
    }

    private List<object> All()
    {
        List<object> all = [];
        _registry.ForEach(cache =>
        {
            Assert.True(_registry.Sync.IsHeldByCurrentThread);
            all.Add(cache);
        });
        return all;
    }

    private List<object> Sweep()
    {
        List<object> inherited = [];
        _registry.Sweep(inherited.Add);
        return inherited;
    }
}

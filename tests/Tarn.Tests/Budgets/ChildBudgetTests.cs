using System.Buffers;
using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Budgets;

/// <summary>The life of a child: nobody ends it, what it granted keeps it alive, and its parent does not.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class ChildBudgetTests
{
    private readonly BufferBudget _all = new(1_000, "all");

    [Fact]
    public void A_budget_has_no_disposal() => Assert.False(typeof(IDisposable).IsAssignableFrom(typeof(BufferBudget)));

    /// <summary>A server makes a child for each client. Neither the parent nor the list of all budgets keeps it.</summary>
    [Fact]
    public void A_child_that_nothing_refers_to_is_collected()
    {
        string name = $"client {Guid.NewGuid()}";
        Make(name);
        Eventually.TrueAfterCollections(() => BufferBudget.List().All(budget => budget.Name != name), "the child is collected");
        Assert.Equal(0, _all.InUse);
    }

    public static TheoryData<string> Owners => ["lease", "writer", "detached buffer", "builder", "slice", "stream"];

    /// <summary>The owner keeps the child, so its bytes come back here.</summary>
    [Theory]
    [MemberData(nameof(Owners))]
    public void An_owner_returns_its_bytes_through_a_child_that_was_dropped(string kind)
    {
        string name = $"client {Guid.NewGuid()}";
        IDisposable owner = MakeOwner(name, kind);
        Eventually.Collect();
        Assert.Contains(BufferBudget.List(), budget => budget.Name == name);
        Assert.NotEqual(0, _all.InUse);
        owner.Dispose();
        Assert.Equal(0, _all.InUse);
    }

    [Fact]
    public async Task A_request_that_waits_keeps_its_child()
    {
        _all.Take(1_000);
        string name = $"client {Guid.NewGuid()}";
        Task waiting = Wait(name);
        Eventually.Collect();
        Assert.Contains(BufferBudget.List(), budget => budget.Name == name);
        _all.Return(1_000);
        await waiting;
        Assert.Equal(100, _all.InUse);
        _all.Return(100);
    }

    /// <summary>Nobody knows any more that they may return: they stay in use at the parent.</summary>
    [Fact]
    public void Bytes_that_a_program_took_of_a_dropped_child_stay_in_use_at_the_parent()
    {
        string name = $"client {Guid.NewGuid()}";
        Take(name);
        Eventually.TrueAfterCollections(() => BufferBudget.List().All(budget => budget.Name != name), "the child is collected");
        Assert.Equal(300, _all.InUse);
        _all.Return(300);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Make(string name)
    {
        BufferBudget child = _all.CreateChild(500, name);
        child.LeaseMemory(BufferPool<byte>.Shared, 100).Dispose();
        Assert.Contains(child, BufferBudget.List());
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Take(string name) => _all.CreateChild(500, name).Take(300);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private Task Wait(string name) => _all.CreateChild(500, name).TakeAsync(100).AsTask();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private IDisposable MakeOwner(string name, string kind)
    {
        BufferBudget child = _all.CreateChild(900, name);
        BufferPool<byte> pool = BufferPool<byte>.Shared;
        switch (kind)
        {
            case "lease":
                return child.LeaseMemory(pool, 100);
            case "writer":
                return new PooledWriter<byte>(pool, capacity: 100, budget: child);
            case "detached buffer":
                using (PooledWriter<byte> writer = new(pool, capacity: 100, budget: child))
                {
                    return writer.Detach();
                }

            case "builder":
                SequenceBuilder<byte> builder = new(pool, child);
                builder.Write([1]);
                return builder;
            case "slice":
                using (CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(pool, 100, child))
                {
                    return buffer.Slice();
                }

            default:
                PooledMemoryStream stream = new(new PooledMemoryStreamOptions { Budget = child });
                stream.Write([1]);
                return stream;
        }
    }
}

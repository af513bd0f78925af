using System.Collections.Concurrent;
using System.Diagnostics.Tracing;
using Tarn.Tests.Support;

namespace Tarn.Tests.Budgets;

/// <summary>What is told of a budget that makes no progress.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class BudgetWatchTests
{
    private readonly string _name = $"watched {Guid.NewGuid()}";

    [Fact]
    public async Task A_long_wait_is_told_once_and_again_after_it_has_ended()
    {
        BufferBudget budget = new(100, _name);
        using Listener listener = new();
        budget.Take(100);
        BudgetWatch.Look(TimeSpan.Zero);
        for (int wait = 1; wait <= 2; wait++)
        {
            Task waiting = budget.TakeAsync(10).AsTask();
            Assert.True(BudgetWatch.Look(TimeSpan.FromDays(1)));
            Assert.Equal(wait - 1, listener.Of(_name).Length);
            Assert.True(BudgetWatch.Look(TimeSpan.Zero));
            BudgetWatch.Look(TimeSpan.Zero);
            Assert.Equal(wait, listener.Of(_name).Length);
            budget.Return(10);
            await waiting;
            BudgetWatch.Look(TimeSpan.Zero);
        }

        object?[] told = listener.Of(_name)[0];
        Assert.Equal([_name, 100L, 100L, 1], told[..4]);
        Assert.True((long)told[4]! >= 0);
    }

    [Fact]
    public async Task The_oldest_wait_is_that_of_the_oldest_request_to_the_budget()
    {
        BufferBudget parent = new(100, _name);
        BufferBudget child = parent.CreateChild(100, _name + " child");
        Assert.Contains(parent, BufferBudget.List());
        Assert.Contains(child, BufferBudget.List());
        Assert.Equal(TimeSpan.Zero, child.OldestWait);
        parent.Take(100);
        Task first = child.TakeAsync(10).AsTask();
        Eventually.True(() => child.OldestWait > TimeSpan.FromMilliseconds(5), "the wait grows");
        Task second = child.TakeAsync(10).AsTask();
        TimeSpan before = child.OldestWait;
        Assert.True(before > TimeSpan.Zero);
        Assert.Equal(TimeSpan.Zero, parent.OldestWait);
        parent.Return(10);
        await first;
        Assert.True(child.OldestWait > TimeSpan.Zero);
        parent.Return(10);
        await second;
        Assert.Equal((TimeSpan.Zero, true), (child.OldestWait, child.LongestWait >= before));
    }

    private sealed class Listener : EventListener
    {
        private readonly ConcurrentQueue<object?[]> _told = new();

        internal object?[][] Of(string name) => [.. _told.Where(one => (string)one[0]! == name)];

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == BufferDiagnostics.EventSourceName)
            {
                EnableEvents(eventSource, EventLevel.Warning);
            }
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (eventData.EventName == "BudgetWaitIsLong")
            {
                _told.Enqueue([.. eventData.Payload!]);
            }
        }
    }
}

using System.Collections.Concurrent;
using System.Diagnostics.Tracing;
using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics;

/// <summary>Reports that a listener asks for. Reports of other processes are tested with the tool that asks for them.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public class ListenerReportTests
{
    private static int s_id = 1_000;

    [Fact]
    public void A_state_has_every_source_and_ends_with_the_number_of_its_events()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "reported", Checks = BufferChecks.None });
        byte[] kept = pool.Rent(100);
        int id = NextId();
        using Asking listener = new("State", $"{id}");

        object?[] end = listener.WaitForEnd(id);
        object?[] source = Assert.Single(listener.Of("ReportedSource"), static one => (string)one[1]! == "reported");

        Assert.Equal(
            [id, "reported", "array pool", (long)kept.Length, 0L, 1L, 0L, 1L, pool.GetHashCode()],
            source.Select((value, index) => index == 4 ? 0L : value));
        Assert.Equal([id, listener.PartsOfState, ""], end);
        pool.Return(kept);
    }

    [Fact]
    public async Task A_state_has_every_budget()
    {
        BufferBudget budget = new(100, "reported budget");
        budget.Take(90);
        Task waiting = budget.TakeAsync(20).AsTask();
        Assert.False(budget.TryTake(1));
        int id = NextId();
        using Asking listener = new("State", $"{id}");

        object?[] end = listener.WaitForEnd(id);
        object?[] reported = Assert.Single(listener.Of("ReportedBudget"), static one => (string)one[1]! == "reported budget");

        Assert.Equal([id, "reported budget", 100L, 90L, 1, 1L, 0L, 0L], reported[..8]);
        Assert.True((long)reported[8]! >= 0);
        Assert.Equal(listener.PartsOfState, (int)end[1]!);
        budget.Return(90);
        await waiting;
    }

    [Fact]
    public void No_text_is_too_long_for_an_event()
    {
        string name = new('n', 40_000);
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = name, Checks = BufferChecks.None });
        pool.Return(pool.Rent(100));
        int id = NextId();
        using Asking listener = new("State", $"{id}");

        object?[] end = listener.WaitForEnd(id);
        string[] names = [.. listener.Of("ReportedSource").Select(static one => (string)one[1]!)];

        Assert.Single(names, static one => one.StartsWith("nnnn", StringComparison.Ordinal) && one.EndsWith('…') && one.Length < 10_000);
        Assert.Equal((int)end[1]!, listener.PartsOfState);
        GC.KeepAlive(pool);
    }

    [Fact]
    public void A_profile_without_sampling_ends_with_the_reason()
    {
        int id = NextId();
        using Asking listener = new("Profile", $"{id}");

        object?[] end = listener.WaitForEnd(id);

        Assert.Equal((id, 0), ((int)end[0]!, (int)end[1]!));
        Assert.Contains("nothing is sampled", (string)end[2]!, StringComparison.Ordinal);
        Assert.Empty(listener.Of("ReportedProfile"));
    }

    [Fact]
    public void The_same_request_is_answered_once()
    {
        int id = NextId();
        using Asking first = new("State", $"{id}");
        first.WaitForEnd(id);
        using Asking second = new("State", $"{id}");
        int next = NextId();
        using Asking third = new("State", $"{next}");
        third.WaitForEnd(next);

        Assert.Single(first.Of("ReportEnded"), one => (int)one[0]! == id);
    }

    [Theory]
    [InlineData("Everything", "7", "Report=\"Everything\" of an event listener was ignored; pass State or Profile.")]
    [InlineData("State", null, "Report=State of an event listener was ignored, because ReportId=\"\" is no number")]
    [InlineData("Profile", "-3", "Report=Profile of an event listener was ignored, because ReportId=\"-3\" is no number")]
    public void A_request_that_is_not_understood_is_reported_to_the_listener(string kind, string? id, string message)
    {
        using Asking listener = new(kind, id);

        Assert.Contains(listener.Of("SettingIgnored"), one => ((string)one[0]!).StartsWith(message, StringComparison.Ordinal));
        Assert.Empty(listener.Of("ReportEnded"));
    }

    private static int NextId() => Interlocked.Increment(ref s_id);

    private sealed class Asking : EventListener
    {
        private readonly ConcurrentQueue<(string Name, object?[] Payload)> _events = new();

        internal Asking(string kind, string? id)
        {
            Dictionary<string, string?> arguments = new() { [ListenerReports.KindArgument] = kind };
            if (id is not null)
            {
                arguments[ListenerReports.IdArgument] = id;
            }

            EnableEvents(TarnEventSource.Log!, EventLevel.Warning, TarnEventSource.Keywords.Reports, arguments);
        }

        public override void Dispose()
        {
            DisableEvents(TarnEventSource.Log!);
            base.Dispose();
        }

        internal object?[][] Of(string name) => [.. _events.Where(one => one.Name == name).Select(one => one.Payload)];

        /// <summary>The events of a state that have come.</summary>
        internal int PartsOfState =>
            Of("ReportedSource").Length + Of("ReportedBudget").Length + Of("ReportedIncidents").Length;

        internal object?[] WaitForEnd(int id)
        {
            object?[]? end = null;
            Assert.True(SpinWait.SpinUntil(
                () => (end = Of("ReportEnded").FirstOrDefault(one => (int)one[0]! == id)) is not null, TimeSpan.FromSeconds(30)));
            return end!;
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData) =>
            _events?.Enqueue((eventData.EventName!, [.. eventData.Payload!]));
    }
}

using Tarn.Traces;

namespace Tarn.Tool.Tests.Analysis;

/// <summary>Makes a recording from rents and returns in any order; times sort them. A site is a method that calls the pool.</summary>
internal sealed class RecordingBuilder(
    bool isFromStart = true, bool hasEnded = true, long lostEvents = 0, RecordingCut cut = RecordingCut.None)
{
    private const int Pool = 77;
    private readonly RentMatcher _matcher = new();
    private readonly List<(long Time, Action<RentMatcher> Send)> _events = [];
    private readonly List<StackFrame> _frames = [new("Program.Main", "App", "/src/Program.cs", 1)];
    private readonly List<StackNode> _nodes = [new(0, 0)];
    private readonly Dictionary<string, int> _sites = [];
    private int _buffers;

    /// <summary>Rents at a time in milliseconds, and returns the buffer's number.</summary>
    public int Rent(double milliseconds, string site = "App.Rents", int length = 1_024, int thread = 1, int? buffer = null)
    {
        int number = buffer ?? ++_buffers;
        long time = Microseconds(milliseconds);
        int stack = Stack(site);
        _events.Add((time, matcher => matcher.Rent(time, thread, number, length, Pool, stack)));
        return number;
    }

    public RecordingBuilder Return(double milliseconds, int buffer, string site = "App.Returns", int length = 1_024, int thread = 1)
    {
        long time = Microseconds(milliseconds);
        int stack = Stack(site);
        _events.Add((time, matcher => matcher.Return(time, thread, buffer, length, Pool, stack)));
        return this;
    }

    /// <summary>Rents, and returns after a while.</summary>
    public RecordingBuilder Pair(double milliseconds, double hold, string site = "App.Rents") =>
        Return(milliseconds + hold, Rent(milliseconds, site));

    public RecordingBuilder Allocate(double milliseconds, string site = "App.Rents", int length = 1_024, int reason = 2)
    {
        long time = Microseconds(milliseconds);
        int stack = Stack(site);
        _events.Add((time, matcher => matcher.Allocate(time, 1, length, Pool, stack, reason)));
        return this;
    }

    public RecordingBuilder Drop(double milliseconds, int length = 1_024)
    {
        long time = Microseconds(milliseconds);
        int stack = Stack("App.Returns");
        _events.Add((time, matcher => matcher.Drop(time, 1, length, Pool, stack, 0)));
        return this;
    }

    public BufferTrace Build(double endMilliseconds, string element = "System.Byte")
    {
        foreach ((_, Action<RentMatcher> send) in _events.OrderBy(one => one.Time))
        {
            send(_matcher);
        }

        IReadOnlyList<PoolAction> actions = _matcher.TakeActions();
        var origin = new TraceOrigin
        {
            Program = "app",
            Command = "dotnet app.dll",
            Runtime = ".NET 10.0.0",
            How = isFromStart ? "started" : "attached",
            RecordedAt = DateTimeOffset.UnixEpoch,
            LostEvents = lostEvents,
            UnmatchedReturns = _matcher.UnmatchedReturns,
            Allocated = _matcher.Allocated,
            Dropped = _matcher.Dropped,
        };
        return new BufferTrace(origin, _matcher.Events, new TraceDetails
        {
            ProcessId = 4_711,
            IsFromStart = isFromStart,
            HasEnded = hasEnded && (cut & ~RecordingCut.Broken) == RecordingCut.None,
            Cut = cut,
            BeginMicroseconds = Math.Min(0, _matcher.ToTraceTime(0)),
            EndMicroseconds = Math.Max(0, _matcher.ToTraceTime(Microseconds(endMilliseconds))),
            Stacks = new StackTable(_frames, _nodes),
            Pools = [.. _matcher.Pools.Select(id => new TracedPool("System.Buffers.ArrayPoolEventSource", id, element))],
            Actions = actions,
        });
    }

    private int Stack(string site)
    {
        if (!_sites.TryGetValue(site, out int node))
        {
            _frames.Add(new StackFrame(site, "App", "/src/App.cs", 10 * (_sites.Count + 1)));
            _nodes.Add(new StackNode(1, _frames.Count - 1));
            _sites.Add(site, node = _nodes.Count);
        }

        return node;
    }

    private static long Microseconds(double milliseconds) => (long)(milliseconds * 1_000);
}

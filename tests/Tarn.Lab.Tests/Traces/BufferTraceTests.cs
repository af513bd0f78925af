using Tarn.Traces;
using static Tarn.Lab.Tests.Traces.TraceSamples;

namespace Tarn.Lab.Tests.Traces;

public class BufferTraceTests
{
    [Fact]
    public void A_trace_counts_its_events()
    {
        var trace = new BufferTrace(Origin, [Rent(), Rent(1, 32, 5, 1), Return(1, 0, 32, 7, 1)]);

        Assert.Equal((2, 2, 2, 1), (trace.Threads, trace.Pools, trace.Rented, trace.Returned));
        Assert.Equal(TimeSpan.FromMicroseconds(7), trace.Duration);
    }

    public static TheoryData<string, BufferEvent[]> Broken => new()
    {
        { "Event 1 of the trace is invalid: its time is before that of the event before it.", [Rent(time: 2), Rent(time: 1)] },
        { "Event 0 of the trace is invalid: thread 1 comes before thread 0.", [Rent(thread: 1)] },
        { "Event 1 of the trace is invalid: pool 2 comes before pool 1.", [Rent(), Rent(pool: 2)] },
        { "Event 0 of the trace is invalid: its length is 0.", [Rent(length: 0)] },
        { "Event 0 of the trace is invalid: it returns event 0, which is no earlier rent.", [Return(0)] },
        { "Event 2 of the trace is invalid: it returns event 1, which is no earlier rent.", [Rent(), Return(0), Return(1)] },
        { "Event 1 of the trace is invalid: it returns event 2, which is no earlier rent.", [Rent(), Return(2), Rent()] },
        { "Event 1 of the trace is invalid: it returns event -2, which is no earlier rent.", [Rent(), Return(-2)] },
        { "Event 2 of the trace is invalid: it returns event 0, which was returned before.", [Rent(), Return(0), Return(0)] },
        { "Event 1 of the trace is invalid: its pool or length differs from that of its rent, event 0.", [Rent(), Return(0, length: 32)] },
    };

    [Theory]
    [MemberData(nameof(Broken))]
    public void Events_that_break_a_rule_are_refused_by_name(string message, BufferEvent[] events)
    {
        Assert.Equal(message, Assert.Throws<InvalidDataException>(() => new BufferTrace(Origin, events)).Message);
    }
}

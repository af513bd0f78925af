using Tarn.Traces;

namespace Tarn.Fuzz.Targets;

/// <summary>Valid traces.</summary>
internal static class TraceSeeds
{
    internal static IEnumerable<BufferTrace> All =>
        [
            new(s_origin, []),
            new(s_origin, [new BufferEvent(0, 0, 0, 16, BufferEvent.None), new BufferEvent(5, 1, 0, 16, 0)]),
            new(s_origin with { LostEvents = 3, Program = "Müller" }, Events()),
        ];

    /// <summary>Those with stacks, pools, actions and tests.</summary>
    internal static IEnumerable<BufferTrace> WithDetails =>
        [new(s_origin, [], Details([])), new(s_origin, EventsWithStacks(), Details(s_actions))];

    private static readonly PoolAction[] s_actions =
    [
        new(PoolActionKind.Allocated, -5, 0, 0, 16) { Stack = 1, Reason = PoolAction.TooLong },
        new(PoolActionKind.ReturnedAgain, 900, 1, 1, 32) { Stack = 2, EarlierStack = 3 },
        new(PoolActionKind.Trimmed, 5_000, 2, 0, 64),
    ];

    private static readonly TraceOrigin s_origin = new()
    {
        Program = "program",
        Command = "program --option",
        Runtime = ".NET",
        How = "started",
        RecordedAt = DateTimeOffset.UnixEpoch,
    };

    private static TraceDetails Details(PoolAction[] actions) => new()
    {
        ProcessId = 42,
        IsFromStart = true,
        HasEnded = actions.Length > 0,
        Cut = actions.Length > 0 ? RecordingCut.Broken : RecordingCut.Time,
        BeginMicroseconds = actions.Length > 0 ? -70_000 : 0,
        EndMicroseconds = 9_000,
        Stacks = new StackTable(
            [new("App.Tests.Run", "App", "Tests.cs", 7) { Test = "App.Tests.Run" }, new("App.Read", "App", "Read.cs", 12), new("", "libc")],
            [new(0, 0), new(1, 1), new(2, 2)]),
        Pools = [new("System.Buffers.ArrayPoolEventSource", 17, "System.Byte"), new("Tarn", -3) { Name = "uploads" }],
        Actions = actions,
    };

    private static IEnumerable<BufferEvent> EventsWithStacks() => Events().Select((one, index) => one with { Stack = index % 4 });

    private static IEnumerable<BufferEvent> Events()
    {
        for (int i = 0; i < 20; i++)
        {
            bool isRent = i % 2 == 0;
            yield return new BufferEvent(i * 300, i / 8, i / 10, 16 << (i / 2 % 5), isRent ? BufferEvent.None : i - 1);
        }
    }
}

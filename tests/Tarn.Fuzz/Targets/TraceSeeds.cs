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

    private static readonly TraceOrigin s_origin = new()
    {
        Program = "program",
        Command = "program --option",
        Runtime = ".NET",
        How = "started",
        RecordedAt = DateTimeOffset.UnixEpoch,
    };

    private static IEnumerable<BufferEvent> Events()
    {
        for (int i = 0; i < 20; i++)
        {
            bool isRent = i % 2 == 0;
            yield return new BufferEvent(i * 300, i / 8, i / 10, 16 << (i / 2 % 5), isRent ? BufferEvent.None : i - 1);
        }
    }
}

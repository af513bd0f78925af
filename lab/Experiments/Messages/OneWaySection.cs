using Tarn.Lab.Contenders;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>The pictures and tables of single messages.</summary>
internal sealed class OneWaySection(OneWayMeasurements measured)
{
    public Section Create(string id, string title) => new()
    {
        Id = id,
        Title = title,
        Text = "Another process sends single messages to this one, each after the one before was passed, so that none waits behind "
            + "another. Each message contains its start time, from the clock that all processes of the machine share; reading the clock "
            + "twice is in all times. One way: from before the first byte is written until the last is verified, wherever the contender "
            + "has them. From publishing to seeing: the message lies begun in place when its time begins, which is then written and "
            + "published; the time ends when the reader has read it. Only the first and last bytes are touched, so this is what the "
            + "contender takes, whatever the size. The counter is what the processors take: the reader spins on it, and the message "
            + "begins in the same line of the cache. Awake: the next message comes a microsecond later, and both "
            + "processes have a processor of "
            + "their own. Asleep: the writer sleeps a millisecond before each, and each must wake the reader. Awaited: the reader is a "
            + "task that awaits, otherwise a thread that a call holds; both read in place. Awaited inline: the task continues on the "
            + "thread that waits for it, and not on one of the thread pool.",
        Charts =
        [
            Draw("one-way", "One way, median", "The median time against the size.", measured.Whole),
            Draw("one-way-seen", "From publishing to seeing, median", "The median time against the size.", measured.Seen),
        ],
        Tables =
        [
            BySize("one-way-median", "One way, median", "Both processes awake.", measured.Whole, static rounds => rounds.Medians),
            BySize("one-way-late", "One way, 99th percentile", "The same.", measured.Whole, static rounds => rounds.Late),
            BySize(
                "one-way-latest", "One way, 99.9th percentile", "The same, where there were enough messages to have one.",
                measured.Whole, static rounds => rounds.Latest),
            BySize(
                "one-way-seen-median", "From publishing to seeing, median", "Both processes awake, in place.",
                measured.Seen, static rounds => rounds.Medians),
            BySize(
                "one-way-seen-late", "From publishing to seeing, 99th percentile", "The same.",
                measured.Seen, static rounds => rounds.Late),
            BySize(
                "one-way-seen-latest", "From publishing to seeing, 99.9th percentile", "The same.",
                measured.Seen, static rounds => rounds.Latest),
            .. OneWayMeasurements.Readers.Zip(measured.Asleep, Asleep),
        ],
    };

    private static Chart Draw(string id, string title, string description, IReadOnlyList<LatencyRounds> bySize) => new()
    {
        Id = id,
        Title = title,
        Description = description,
        Kind = ChartKind.Lines,
        X = new Axis("Size", "B", Logarithmic: true),
        Y = new Axis("Latency", "ns", Logarithmic: true),
        Series =
        [
            .. bySize[0].Medians.Contenders.Select((name, contender) => new Series(
                name,
                PoolNames.RoleOf(name),
                [.. OneWayMeasurements.Sizes.Zip(bySize, (size, rounds) => new Point(size, rounds.Medians.Median(contender)))])),
        ],
    };

    private static Table BySize(
        string id, string title, string note, IReadOnlyList<LatencyRounds> bySize, Func<LatencyRounds, RoundSamples> samples) => new()
        {
            Id = id,
            Title = title,
            Note = note,
            Columns =
            [
                new Column("Size", ColumnKind.Bytes),
                .. bySize[0].Medians.Contenders.Select(static name => new Column(name, ColumnKind.Nanoseconds)),
            ],
            Rows =
            [
                .. OneWayMeasurements.Sizes.Zip(bySize, (size, rounds) => (IReadOnlyList<object?>)[
                    (double)size, .. rounds.Medians.Contenders.Select((_, contender) => (object?)Known(samples(rounds), contender))]),
            ],
        };

    private static Table Asleep(int readers, LatencyRounds rounds) => new()
    {
        Id = $"one-way-asleep-{readers}",
        Title = readers == 1 ? "One way to a process that sleeps" : $"One way to {readers} readers that sleep, until the last has it",
        Note = $"Messages of {ByteSize.Text(OneWayMeasurements.FewSize)}.",
        Columns =
        [
            new Column("Contender", ColumnKind.Text),
            new Column("Median", ColumnKind.Nanoseconds),
            new Column("99th percentile", ColumnKind.Nanoseconds),
        ],
        Rows =
        [
            .. rounds.Medians.Contenders.Select((name, contender) =>
                (IReadOnlyList<object?>)[name, rounds.Medians.Median(contender), rounds.Late.Median(contender)]),
        ],
    };

    private static double? Known(RoundSamples samples, int contender) =>
        samples.Median(contender) is var median && double.IsNaN(median) ? null : median;
}

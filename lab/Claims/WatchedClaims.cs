namespace Tarn.Lab.Claims;

/// <summary>The claims about what it costs a program to be watched.</summary>
internal static class WatchedClaims
{
    public static IReadOnlyList<Claim> All { get; } =
    [
        new()
        {
            Id = "watched-events",
            Sentence = "While `tarn watch` counts allocations, drops and trims, a pair of calls of Tarn's pools takes {0} of its time "
                + "alone,",
            Experiment = "watched",
            Evidence = ["watched-events-tarn"],
            Bound = 1.1,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "watched-events-bcl",
            Sentence = "and one of `ArrayPool.Shared` {0}, because it asks the event source each time;",
            Experiment = "watched",
            Evidence = ["watched-events-bcl"],
            Bound = 80,
            Style = FigureStyle.Nanoseconds,
        },
        new()
        {
            Id = "watched-sampled",
            Sentence = "while Tarn's pools are sampled, their pair takes {0};",
            Experiment = "watched",
            Evidence = ["watched-sampled-tarn"],
            Bound = 60,
            Style = FigureStyle.Nanoseconds,
        },
        new()
        {
            Id = "watched-rents",
            Sentence = "with `--rents`, or recorded without stacks, a pair takes at most {0};",
            Experiment = "watched",
            Evidence = ["watched-rents-tarn", "watched-rents-bcl"],
            Bound = 2_000,
            Style = FigureStyle.Nanoseconds,
        },
        new()
        {
            Id = "watched-stacks",
            Sentence = "recorded with stacks, at most {0}.",
            Experiment = "watched",
            Evidence = ["watched-stacks-tarn", "watched-stacks-bcl"],
            Bound = 20_000,
            Style = FigureStyle.Nanoseconds,
        },
    ];
}

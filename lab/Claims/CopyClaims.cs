namespace Tarn.Lab.Claims;

/// <summary>The claims about copies and clears.</summary>
internal static class CopyClaims
{
    private static readonly string[] s_copiedSizes = ["1kib", "4kib", "16kib", "64kib", "256kib", "1mib", "4mib", "8mib"];
    private static readonly string[] s_largeCopies = ["16mib", "32mib", "64mib"];
    private static readonly string[] s_sharedCopies = ["8mib", .. s_largeCopies];

    public static IReadOnlyList<Claim> All { get; } =
    [
        new()
        {
            Id = "copy",
            Sentence = "`BufferCopy.Copy` takes at most {0} of the time of `Buffer.MemoryCopy`, from 1 KiB to 8 MiB,",
            Experiment = "copy",
            Evidence = [.. s_copiedSizes.Select(size => $"copy-{size}-buffer-memorycopy")],
            Bound = 1.05,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "copy-large",
            Sentence = "and at most {0} from 16 to 64 MiB, where it writes past the caches.",
            Experiment = "copy",
            Evidence = [.. s_largeCopies.Select(size => $"copy-{size}-buffer-memorycopy")],
            Bound = 0.85,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "copy-read",
            Sentence = "A copy of that size followed by one pass over the destination takes at most {0} of the runtime's copy and pass.",
            Experiment = "copy-ways",
            Evidence = [.. s_largeCopies.Select(size => $"copy-ways-read-{size}")],
            Bound = 1.05,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "copy-clear",
            Sentence = "`BufferCopy.Clear` takes at most {0} of the time of `Span<byte>.Clear` with 16 and 32 MiB.",
            Experiment = "copy-ways",
            Evidence = [.. s_largeCopies[..2].Select(size => $"copy-ways-clear-{size}")],
            Bound = 0.9,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "copy-parallel",
            Sentence = "On two cores that do nothing else, `BufferCopy.CopyParallel` is at least {0} times as fast with 8 to 64 MiB.",
            Experiment = "copy",
            Evidence = [.. s_sharedCopies.Select(size => $"copy-parallel-{size}-buffer-memorycopy")],
            Bound = 0.8,
            Style = FigureStyle.Times,
        },
    ];
}

using Tarn.Lab.Experiments.Loads;
using Tarn.Lab.Experiments.Native;
using Tarn.Lab.Measurement;
using Tarn.Lab.Replay;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Claims;

/// <summary>Every figure the README and the documents state. A figure that is not in this list may not be in them.</summary>
/// <remarks>
/// A bound is what a claim may have in any run. It is wider than the project's own target if that is not met, or if runs of the same code
/// were on both sides of it, because each process has its code and data at different addresses. A bound is not widened for a run that
/// exceeds it: docs/lab.md lists the claims of committed runs that do. The targets are in the experiments; the report states which are met.
/// </remarks>
internal static class ClaimList
{
    private const string MebibytePair = "1mib";

    private static readonly MixedLoad[] s_loads = [.. LoadsExperiment.HandedOver, .. LoadsExperiment.AllToAll];
    private static readonly MixedLoad[] s_allLoads = [.. LoadsExperiment.LoadsOf(isFull: true)];
    private static readonly MixedLoad[] s_allHandedOver = [.. s_allLoads.Where(load => !load.IsAllToAll)];
    private static readonly MixedLoad[] s_allExchanged = [.. s_allLoads.Where(load => load.IsAllToAll)];
    private static readonly string[] s_singleSizes = ["100b", "1kib", "16kib", "128kib", "1mib"];
    private static readonly string[] s_deepSizes = ["256b", "1kib", "4kib", "64kib", "1mib"];
    private static readonly string[] s_handoverSizes = ["256b", "4kib", "64kib"];

    private static readonly string[] s_pairSizes = IdsOf(NativePairExperiment.SmallSizes(isFull: false));
    private static readonly string[] s_allPairSizes = IdsOf(NativePairExperiment.SmallSizes(isFull: true));

    public static IReadOnlyList<Claim> All { get; } =
    [
        new()
        {
            Id = "traces",
            Sentence = "Replaying what recorded programs rented and returned takes at most {0} of the time of the best BCL pool.",
            Experiment = "traces",
            Evidence = [.. TraceLibrary.Names.Select(name => "traces-" + name)],
            Bound = 1.1,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "traces-generated",
            Sentence = "A generated program of the same shape as a recorded one takes at most {0}.",
            Experiment = "traces",
            Evidence = [.. TracesExperiment.Names.Except(TraceLibrary.Names).Select(name => "traces-" + name)],
            Bound = 1.4,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "traces-allocated",
            Sentence = "During a replay at most {0} of the bytes rented are newly allocated.",
            Experiment = "traces",
            Evidence = [.. TracesExperiment.Names.Select(name => "traces-allocated-" + name)],
            Bound = 0.01,
            Style = FigureStyle.Percent,
        },
        new()
        {
            Id = "traces-retained",
            Sentence = "When everything has been returned, the pool retains at most {0} of three times the peak in use and 1 MiB.",
            Experiment = "traces",
            Evidence = [.. TracesExperiment.Names.Select(name => "traces-retained-" + name)],
            Bound = 1.2,
            Style = FigureStyle.Percent,
        },
        new()
        {
            Id = "loads-allocated",
            Sentence = "With mixed sizes, rented on one thread and returned on others, {0} of the bytes rented are newly allocated, "
                + "whatever the cap.",
            Experiment = "loads",
            Evidence = [.. s_loads.Select(load => "loads-allocated-" + load.Id)],
            FullRunEvidence = [.. s_allLoads.Select(load => "loads-allocated-" + load.Id)],
            Bound = 0.01,
            Style = FigureStyle.Percent,
        },
        new()
        {
            Id = "loads-retained",
            Sentence = "The pool then retains at most {0} of five times the most in flight and 1 MiB a thread.",
            Experiment = "loads",
            Evidence = [.. LoadsExperiment.HandedOver.Select(load => "loads-retained-" + load.Id)],
            FullRunEvidence = [.. s_allHandedOver.Select(load => "loads-retained-" + load.Id)],
            Bound = 1,
            Style = FigureStyle.Percent,
        },
        new()
        {
            Id = "loads-retained-all",
            Sentence = "Where all threads exchange buffers, it retains at most {0} of that.",
            Experiment = "loads",
            Evidence = [.. LoadsExperiment.AllToAll.Select(load => "loads-retained-" + load.Id)],
            FullRunEvidence = [.. s_allExchanged.Select(load => "loads-retained-" + load.Id)],
            Bound = 1.2,
            Style = FigureStyle.Percent,
        },
        new()
        {
            Id = "loads-handover",
            Sentence = "A buffer takes at most {0} of the time of `ArrayPool<byte>.Shared` then;",
            Experiment = "loads",
            Evidence = [.. LoadsExperiment.HandedOver.Select(load => "loads-" + load.Id)],
            FullRunEvidence = [.. s_allHandedOver.Select(load => "loads-" + load.Id)],
            Bound = 1.15,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "loads-all",
            Sentence = "where 2 to 32 threads rent and exchange buffers before they return them, at most {0}.",
            Experiment = "loads",
            Evidence = [.. LoadsExperiment.AllToAll.Select(load => "loads-" + load.Id)],
            FullRunEvidence = [.. s_allExchanged.Select(load => "loads-" + load.Id)],
            Bound = 1.25,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "single",
            Sentence = "Renting and returning a buffer of 100 B to 1 MiB takes at most {0} of the time `ArrayPool<byte>.Shared` takes.",
            Experiment = "single",
            Evidence = [.. s_singleSizes.Select(size => "single-" + size)],
            Bound = 0.70,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "single-instance",
            Sentence = "A pool of your own takes at most {0} of the time of `ArrayPool<byte>.Shared`.",
            Experiment = "single",
            Evidence = [.. s_singleSizes.Select(size => "single-instance-" + size)],
            Bound = 0.70,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "lease",
            Sentence = "A lease, safe against double return and use after return, takes at most {0} of the time of a raw rent and return "
                + "from `ArrayPool<byte>.Shared`.",
            Experiment = "lease",
            Evidence = [.. s_singleSizes.Select(size => "lease-" + size)],
            Bound = 1.0,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "lease-allocated",
            Sentence = "A lease allocates {0} bytes.",
            Experiment = "lease",
            Evidence = ["lease-allocated-bufferpool-lease"],
            Bound = 0,
            Style = FigureStyle.Bytes,
        },
        new()
        {
            Id = "deep",
            Sentence = "With eight buffers rented before the first is returned, a pair is at least {0} times as fast as with "
                + "`ArrayPool<byte>.Shared`.",
            Experiment = "deep",
            Evidence = [.. s_deepSizes.Select(size => "deep-" + size)],
            Bound = 0.22,
            Style = FigureStyle.Times,
        },
        new()
        {
            Id = "deep-variable",
            Sentence = "Called through an `ArrayPool<byte>` variable, by code that knows nothing of Tarn, it is at least {0} times as "
                + "fast.",
            Experiment = "deep",
            Evidence = [.. s_deepSizes.Select(size => "deep-variable-" + size)],
            Bound = 0.30,
            Style = FigureStyle.Times,
        },
        new()
        {
            Id = "threads",
            Sentence = "On 2, 8 and 32 threads it is at least {0} times as fast.",
            Experiment = "threads",
            Evidence = ["threads-deep-2", "threads-deep-8", "threads-deep-32"],
            Bound = 0.22,
            Style = FigureStyle.Times,
        },
        new()
        {
            Id = "handover",
            Sentence = "Rented on one thread and returned on another, a buffer of up to 4 KiB takes at most {0} of the time of the best "
                + "BCL pool;",
            Experiment = "handover",
            Evidence = ["handover-256b", "handover-4kib"],
            Bound = 0.5,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "handover-large",
            Sentence = "one of 64 KiB, of which five change hands at a time, at most {0}.",
            Experiment = "handover",
            Evidence = ["handover-64kib"],
            Bound = 1,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "handover-allocated",
            Sentence = "Handing buffers from thread to thread allocates {0} bytes a buffer.",
            Experiment = "handover",
            Evidence = [.. s_handoverSizes.Select(size => "handover-allocated-" + size)],
            Bound = 0,
            Style = FigureStyle.Bytes,
        },
        new()
        {
            Id = "slack-worst",
            Sentence = "At most {0} of a buffer is slack.",
            Experiment = "slack",
            Evidence = ["slack-worst"],
            Bound = 0.20,
            Style = FigureStyle.Percent,
        },
        new()
        {
            Id = "slack-mean",
            Sentence = "On average {0} of a buffer is slack.",
            Experiment = "slack",
            Evidence = ["slack-mean"],
            Bound = 0.10,
            Style = FigureStyle.Percent,
        },
        new()
        {
            Id = "idle",
            Sentence = "Twice the idle timeout after a load ends, the pool retains {0} of what was in use, without a collection.",
            Experiment = "idle",
            Evidence = ["idle-retained"],
            Bound = 0,
            Style = FigureStyle.Percent,
        },
        new()
        {
            Id = "heap-pair",
            Sentence = "Allocating and freeing a native block of 16 B to 1 MiB takes at most {0} of the time of `NativeMemory`,",
            Experiment = "native-pair",
            Evidence = [.. s_pairSizes.Append(MebibytePair).Select(size => $"native-pair-{size}-nativememory")],
            FullRunEvidence = [.. s_allPairSizes.Append(MebibytePair).Select(size => $"native-pair-{size}-nativememory")],
            Bound = 0.65,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "heap-pair-large",
            Sentence = "and one of 16 MiB at most {0}.",
            Experiment = "native-pair",
            Evidence = ["native-pair-16mib-nativememory"],
            Bound = 0.8,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "heap-pair-tcmalloc",
            Sentence = "Allocating and freeing a native block of 16 B to 256 KiB takes at most {0} of the time of tcmalloc.",
            Experiment = "native-pair",
            Evidence = [.. s_pairSizes.Select(size => $"native-pair-{size}-tcmalloc")],
            FullRunEvidence = [.. s_allPairSizes.Select(size => $"native-pair-{size}-tcmalloc")],
            Bound = 1.15,
            Style = FigureStyle.Ratio,
            NeedsPeer = true,
        },
        new()
        {
            Id = "kmalloc",
            Sentence = "Ten thousand blocks of 1 KiB, allocated and then freed, are at least {0} times as fast as with glibc.",
            Experiment = "kmalloc",
            Evidence = ["kmalloc-malloc"],
            Bound = 1 / 45.0,
            Style = FigureStyle.Times,
        },
        new()
        {
            Id = "kmalloc-mimalloc",
            Sentence = "and at least {0} times as fast as with mimalloc.",
            Experiment = "kmalloc",
            Evidence = ["kmalloc-mimalloc"],
            Bound = 0.40,
            Style = FigureStyle.Times,
            NeedsPeer = true,
        },
        new()
        {
            Id = "kmalloc-bytes",
            Sentence = "A live block of 4 bytes takes {0} bytes.",
            Experiment = "kmalloc",
            Evidence = ["kmalloc-bytes"],
            Bound = 4.3,
            Style = FigureStyle.Ratio,
        },
        new()
        {
            Id = "heap-freed",
            Sentence = "When everything was freed and idle for twice the timeout, {0} of the peak is still resident.",
            Experiment = "native-memory",
            Evidence = ["native-memory-freed-tarn"],
            Bound = 0.08,
            Style = FigureStyle.Percent,
        },
        .. StreamClaims.All,
        .. RingClaims.All,
        .. TailClaims.All,
        .. WatchedClaims.All,
        .. WriterClaims.All,
        .. CopyClaims.All,
        .. ServerClaims.All,
    ];

    private static string[] IdsOf(IEnumerable<int> sizes) => [.. sizes.Select(static size => ByteSize.Id(size))];
}

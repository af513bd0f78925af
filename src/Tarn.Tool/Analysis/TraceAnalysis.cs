using System.Runtime.InteropServices;
using Tarn.Traces;

namespace Tarn.Tool.Analysis;

/// <summary>Finds in a trace what was lost, returned twice, held and allocated, and where.</summary>
internal sealed class TraceAnalysis
{
    private const int TimelineSpans = 60;
    private const int ShownFlows = 40;

    private readonly BufferTrace _trace;
    private readonly TraceDetails _details;
    private readonly ElementSizes _sizes;
    private readonly CallSites _sites;
    private readonly StackTests _tests;
    private readonly Dictionary<int, SiteOfRents> _rents = [];
    private readonly Dictionary<(int From, int To), long> _flows = [];
    private readonly Dictionary<int, long> _holds = [];
    private readonly Dictionary<int, long> _lengths = [];
    private readonly LossJudge _judge;
    private readonly long _begin;
    private readonly long _end;

    private TraceAnalysis(BufferTrace trace, TraceDetails details, SourceTree sources)
    {
        _trace = trace;
        _details = details;
        _sizes = new ElementSizes(details.Pools);
        _sites = new CallSites(details.Stacks, new OwnCode(details.Stacks, sources));
        _tests = new StackTests(details.Stacks);
        _begin = details.BeginMicroseconds;
        _end = Math.Max(details.EndMicroseconds, trace.Events.Length == 0 ? 0 : trace.Events[^1].Microseconds);
        _judge = new LossJudge(_begin, _end, details.HasEnded);
        NameSites();
    }

    /// <summary>Analyzes a trace.</summary>
    /// <param name="trace">The trace.</param>
    /// <param name="sources">Where the sources of the program are; below the current folder if null.</param>
    /// <exception cref="InvalidDataException">The trace was recorded for replays and has no details.</exception>
    public static Findings Of(BufferTrace trace, SourceTree? sources = null)
    {
        TraceDetails details = trace.Details ?? throw new InvalidDataException(
            "This trace was recorded for replays: it has rents and returns only. Record the program with: tarn record");
        return new TraceAnalysis(trace, details, sources ?? new SourceTree(Environment.CurrentDirectory)).Find();
    }

    private Findings Find()
    {
        CollectRents();
        List<LostSite> lost = [];
        List<HeldSite> held = [];
        foreach (SiteOfRents site in _rents.Values)
        {
            (LossEvidence evidence, IReadOnlyList<(long Rented, long Bytes, int Stack)> open) = _judge.Judge(site);
            if (open.Count > 0)
            {
                lost.Add(Describe(site, evidence, open));
            }

            // The lost ones are the oldest. Of those rented in one microsecond, each counts.
            held.Add(Describe(site, [.. site.Open.Skip(open.Count)]));
        }

        return new Findings
        {
            Origin = _trace.Origin,
            Details = _details,
            Duration = TimeSpan.FromMicroseconds(_end - _begin),
            Threads = _trace.Threads,
            Rented = _trace.Rented,
            Returned = _trace.Returned,
            RentedBytes = _rents.Values.Sum(site => site.Bytes),
            Grace = TimeSpan.FromMicroseconds(_judge.Grace),
            Lost = [.. Join(lost).OrderByDescending(site => site.Certainty).ThenByDescending(site => site.Bytes)],
            Held = [.. held.OrderByDescending(site => site.LongestMicroseconds)],
            ReturnedTwice = FindReturnedTwice(),
            NeverRented = FindNeverRented(),
            Allocated = FindAllocated(),
            Pools = CountPools(),
            Holds = Bars(_holds),
            Sizes = Bars(_lengths),
            Timeline = new Timeline(_begin, _end, TimelineSpans, _sizes).Of(_trace, _details),
            Threading =
            [
                .. _flows.OrderByDescending(flow => flow.Value).Take(ShownFlows)
                    .Select(flow => new ThreadFlow(flow.Key.From, flow.Key.To, flow.Value)),
            ],
            AllocatedByStack = _details.Actions.Where(one => one.Kind == PoolActionKind.Allocated)
                .GroupBy(one => one.Stack).ToDictionary(group => group.Key, group => group.Sum(BytesOf)),
            HasUnknownElements = _sizes.HasAssumed,
        };
    }

    /// <summary>Finds all sites first: the name of each depends on the others.</summary>
    private void NameSites()
    {
        foreach (BufferEvent one in _trace.Events)
        {
            _ = one.IsRent ? _sites.Of(one.Stack, one.Pool, one.Length) : 0;
        }

        foreach (PoolAction one in _details.Actions.Where(one => one.Kind != PoolActionKind.Trimmed))
        {
            _ = _sites.Of(one.Stack, one.Pool, one.Length);
            _ = one.Kind == PoolActionKind.ReturnedAgain ? _sites.Of(one.EarlierStack, one.Pool, one.Length) : 0;
        }

        _sites.Distinguish();
    }

    private void CollectRents()
    {
        ReadOnlySpan<BufferEvent> events = _trace.Events;
        var returns = new int[events.Length];
        for (int index = 0; index < events.Length; index++)
        {
            if (!events[index].IsRent)
            {
                returns[events[index].Rent] = index;
            }
        }

        for (int index = 0; index < events.Length; index++)
        {
            BufferEvent rent = events[index];
            if (!rent.IsRent)
            {
                continue;
            }

            long bytes = _sizes.Bytes(rent.Pool, rent.Length);
            Count(_lengths, bytes);
            int number = _sites.Of(rent.Stack, rent.Pool, rent.Length);
            ref SiteOfRents? site = ref CollectionsMarshal.GetValueRefOrAddDefault(_rents, number, out _);
            site ??= new SiteOfRents(number);
            if (returns[index] == 0)
            {
                site.AddOpen(rent.Microseconds, bytes, rent.Stack);
                continue;
            }

            BufferEvent back = events[returns[index]];
            site.AddReturned(rent.Microseconds, back.Microseconds, bytes);
            Count(_holds, back.Microseconds - rent.Microseconds);
            CollectionsMarshal.GetValueRefOrAddDefault(_flows, (rent.Thread, back.Thread), out _)++;
        }
    }

    /// <summary>Sites are judged one by one, because each call may hold its buffers for another time, and joined if they are one.</summary>
    private static List<LostSite> Join(IEnumerable<LostSite> sites)
    {
        List<LostSite> joined = [];
        foreach (LostSite site in sites.OrderByDescending(one => one.Site.Own.Count > 1).ThenByDescending(one => one.Buffers))
        {
            int same = joined.FindIndex(one => one.Is(site));
            if (same < 0)
            {
                joined.Add(site);
            }
            else
            {
                joined[same] = joined[same].With(site);
            }
        }

        return joined;
    }

    private LostSite Describe(SiteOfRents site, LossEvidence evidence, IReadOnlyList<(long Rented, long Bytes, int Stack)> open) => new()
    {
        Site = _sites[site.Site],
        Evidence = evidence,
        Certainty = _trace.Origin.LostEvents == 0 ? _judge.CertaintyOf(evidence, open.Count) : Certainty.Possible,
        Buffers = open.Count,
        Bytes = open.Sum(one => one.Bytes),
        Tests = _tests.Count(open.Select(one => one.Stack)),
        Rented = site.Rented,
        Returned = site.Returned,
        LongestHoldMicroseconds = site.LongestHold,
        ActiveMicroseconds = site.LastMicroseconds - site.FirstMicroseconds,
        OldestMicroseconds = _end - open.Min(one => one.Rented),
        YoungestMicroseconds = _end - open.Max(one => one.Rented),
    };

    private HeldSite Describe(SiteOfRents site, IReadOnlyList<(long Rented, long Bytes, int Stack)> open) => new()
    {
        Site = _sites[site.Site],
        Rented = site.Rented,
        Returned = site.Returned,
        HeldAtEnd = open.Count,
        HeldBytes = open.Sum(one => one.Bytes),
        LongestMicroseconds = Math.Max(site.LongestHold, open.Count == 0 ? 0 : _end - open.Min(one => one.Rented)),
        MeanMicroseconds = site.Returned == 0 ? 0 : site.HoldSum / site.Returned,
    };

    private List<ReturnedTwiceSite> FindReturnedTwice() =>
    [
        .. _details.Actions.Where(one => one.Kind == PoolActionKind.ReturnedAgain)
            .GroupBy(one => (_sites.Of(one.Stack, one.Pool, one.Length), _sites.Of(one.EarlierStack, one.Pool, one.Length)))
            .Select(group => new ReturnedTwiceSite(
                _sites[group.Key.Item1], _sites[group.Key.Item2], CertaintyOfReturns(group.Count()), group.Count(), group.Sum(BytesOf))
            {
                Tests = _tests.Count(group.Select(one => one.Stack)),
            })
            .OrderByDescending(site => site.Certainty).ThenByDescending(site => site.Times),
    ];

    /// <summary>
    /// A lost event may be the rent in between. Of a process that was attached to, one such return may also be of another buffer with the
    /// same hash code that was rented before.
    /// </summary>
    private Certainty CertaintyOfReturns(int times) =>
        _trace.Origin.LostEvents == 0 && (_details.IsFromStart || times > 1) ? Certainty.Likely : Certainty.Possible;

    private List<UnseenSite> FindNeverRented() => !_details.IsFromStart || _trace.Origin.LostEvents > 0
        ? []
        :
        [
            .. _details.Actions.Where(one => one.Kind == PoolActionKind.ReturnedUnseen)
                .GroupBy(one => _sites.Of(one.Stack, one.Pool, one.Length))
                .Select(group => new UnseenSite(_sites[group.Key], group.Count(), group.Sum(BytesOf))
                {
                    Tests = _tests.Count(group.Select(one => one.Stack)),
                })
                .OrderByDescending(site => site.Times),
        ];

    private List<AllocationSite> FindAllocated() =>
    [
        .. _details.Actions.Where(one => one.Kind == PoolActionKind.Allocated)
            .GroupBy(one => _sites.Of(one.Stack, one.Pool, one.Length))
            .Select(group => new AllocationSite(
                _sites[group.Key], group.Count(), group.Sum(BytesOf), group.Count(one => one.Reason == PoolAction.TooLong)))
            .OrderByDescending(site => site.Bytes),
    ];

    private List<PoolUse> CountPools()
    {
        var uses = _details.Pools.Select(pool => new PoolUse(pool, 0, 0, 0, 0, 0, 0)).ToArray();
        foreach (BufferEvent one in _trace.Events)
        {
            ref PoolUse use = ref uses[one.Pool];
            use = one.IsRent
                ? use with { Rented = use.Rented + 1, RentedBytes = use.RentedBytes + _sizes.Bytes(one.Pool, one.Length) }
                : use with { Returned = use.Returned + 1 };
        }

        foreach (PoolAction one in _details.Actions)
        {
            ref PoolUse use = ref uses[one.Pool];
            use = one.Kind switch
            {
                PoolActionKind.Allocated => use with { Allocated = use.Allocated + 1 },
                PoolActionKind.Dropped => use with { Dropped = use.Dropped + 1 },
                PoolActionKind.Trimmed => use with { Trimmed = use.Trimmed + 1 },
                _ => use with { Returned = use.Returned + 1 },
            };
        }

        return [.. uses.OrderByDescending(use => use.Rented)];
    }

    private long BytesOf(PoolAction one) => _sizes.Bytes(one.Pool, one.Length);

    private static void Count(Dictionary<int, long> bars, long value) =>
        CollectionsMarshal.GetValueRefOrAddDefault(bars, value <= 0 ? -1 : (int)long.Log2(value), out _)++;

    /// <summary>All bars between the lowest and the highest value, empty ones included.</summary>
    private static List<HistogramBar> Bars(Dictionary<int, long> bars) => bars.Count == 0
        ? []
        :
        [
            .. Enumerable.Range(bars.Keys.Min(), bars.Keys.Max() - bars.Keys.Min() + 1)
                .Select(power => new HistogramBar(power < 0 ? 0 : 1L << power, bars.GetValueOrDefault(power))),
        ];
}

using Tarn.Tool.Analysis;
using Tarn.Tool.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Allocations;

/// <summary>Finds what pooling would save, from the samples of a recording.</summary>
/// <remarks>
/// Of an estimated sum, 95 of 100 recordings are within 1.96 standard deviations. A place is worth a pool if even the low end of that saves
/// a part of all that is allocated: a pool costs its callers care.
/// </remarks>
internal sealed class CandidateAnalysis
{
    private const double Deviations = 1.96;

    /// <summary>What a place must allocate in a second, of all that is allocated, and in an array, to be worth a pool.</summary>
    private const double LeastRate = 1 << 20;
    private const double LeastShare = 0.02;
    private const double LeastSize = 256;

    private readonly AllocationRecording _recording;
    private readonly CallSites _sites;
    private readonly Dictionary<(StackFrame? Innermost, StackFrame? Own), CallSite> _places = [];
    private readonly Dictionary<(CallSite Site, int Type, AllocationMeans Means), Sum> _sums = [];
    private readonly Dictionary<int, (AllocationMeans Means, int Caller)> _means = [];

    private CandidateAnalysis(AllocationRecording recording, SourceTree sources)
    {
        _recording = recording;
        _sites = new CallSites(recording.Stacks, new OwnCode(recording.Stacks, sources));
    }

    /// <summary>Analyzes a recording.</summary>
    /// <param name="recording">The recording.</param>
    /// <param name="sources">Where the sources of the program are.</param>
    public static CandidateReport Of(AllocationRecording recording, SourceTree sources) => new CandidateAnalysis(recording, sources).Find();

    private CandidateReport Find()
    {
        Sum all = new();
        double arrays = 0;
        foreach (AllocationSample sample in _recording.Samples)
        {
            all.Add(sample);
            if (_recording.Types[sample.Type].EndsWith("[]", StringComparison.Ordinal))
            {
                arrays += sample.TotalBytes;
                Add(sample);
            }
        }

        Candidate[] candidates = [.. _sums.Select(one => Describe(one.Key, one.Value, all)).OrderByDescending(one => one.Bytes)];
        return new CandidateReport
        {
            Format = CandidateReport.CurrentFormat,
            Process = _recording.ProcessId,
            Name = _recording.Facts.Program,
            Runtime = _recording.Facts.Runtime,
            At = _recording.At,
            Seconds = _recording.Duration.TotalSeconds,
            Bytes = all.Bytes,
            ErrorBytes = Error(all),
            ArrayBytes = arrays,
            Collections = Collections(_recording.Collections),
            Samples = _recording.Samples.Count,
            Verdict = Judge(candidates, all, arrays),
            Candidates = candidates,
            Unknown = [.. WhatIsUnknown()],
        };
    }

    private void Add(AllocationSample sample)
    {
        if (!_means.TryGetValue(sample.Stack, out (AllocationMeans Means, int Caller) means))
        {
            _means.Add(sample.Stack, means = StackMeans.Of(_recording.Stacks, sample.Stack));
        }

        (CallSite, int, AllocationMeans) key = (PlaceOf(means.Caller), sample.Type, means.Means);
        if (!_sums.TryGetValue(key, out Sum? sum))
        {
            _sums.Add(key, sum = new Sum());
        }

        sum.Add(sample);
    }

    /// <summary>A place is where the program can change it, whoever calls it: its own innermost call, and what it calls there.</summary>
    private CallSite PlaceOf(int stack)
    {
        CallSite site = _sites[_sites.Of(stack, 0, 0)];
        StackFrame? innermost = site.Frames.Count > 0 ? site.Frames[0] : null;
        (StackFrame?, StackFrame?) key = (innermost, site.Own.Count > 0 ? site.Own[0] : null);
        if (!_places.TryGetValue(key, out CallSite? place))
        {
            _places.Add(key, place = site);
        }

        return place;
    }

    private Candidate Describe((CallSite Site, int Type, AllocationMeans Means) key, Sum sum, Sum all)
    {
        double seconds = Math.Max(0.001, _recording.Duration.TotalSeconds);
        double low = sum.Bytes - (Deviations * Math.Sqrt(sum.Variance));
        bool isWorthIt = key.Means != AllocationMeans.Platform && low / seconds >= LeastRate && low >= all.Bytes * LeastShare
            && sum.Bytes / sum.Objects >= LeastSize;
        string type = MethodNames.ShortType(_recording.Types[key.Type]);
        (string action, string rule) = CandidateWords.Action(key.Means, type, sum.LargeBytes > sum.Bytes / 2);
        return new Candidate(
            key.Site.Name, type, key.Means, sum.Objects, sum.Bytes, Error(sum), sum.LargeBytes, sum.Smallest, sum.Largest,
            sum.Bytes / seconds, sum.Bytes / Math.Max(1, all.Bytes), Avoided(sum, all), sum.Samples, isWorthIt, action, rule)
        {
            Frames = key.Site.Frames,
        };
    }

    /// <summary>Small objects share the collections that small ones caused, large ones those that large ones caused.</summary>
    private double Avoided(Sum sum, Sum all)
    {
        double small = _recording.Collections.Where(one => one is { IsByAllocation: true, IsForLarge: false }).Sum(one => one.Weight);
        double large = _recording.Collections.Where(one => one.IsForLarge).Sum(one => one.Weight);
        return (small * (sum.Bytes - sum.LargeBytes) / Math.Max(1, all.Bytes - all.LargeBytes))
            + (large * sum.LargeBytes / Math.Max(1, all.LargeBytes));
    }

    private static int Collections(IEnumerable<RecordedCollection> collections) => (int)Math.Round(collections.Sum(one => one.Weight));

    private double? Error(Sum sum) => _recording.IsRandom ? Deviations * Math.Sqrt(sum.Variance) : null;

    private string Judge(Candidate[] candidates, Sum all, double arrays)
    {
        double seconds = Math.Max(0.001, _recording.Duration.TotalSeconds);
        string rate = $"{Words.Bytes(all.Bytes / seconds)} a second";
        Candidate[] worth = [.. candidates.Where(one => one.IsWorthIt)];
        if (worth.Length == 0 && (_recording.LostEvents > 0 || _recording.Cut.HasFlag(RecordingCut.Broken)))
        {
            return "Whether anything is worth pooling is not known: "
                + (_recording.LostEvents > 0 ? $"{LostEvents()}. Sample for a shorter time with --for." : "the events broke off.");
        }

        if (_recording.Samples.Count == 0)
        {
            return "Nothing is worth pooling: the process allocated too little to be sampled.";
        }

        if (worth.Length == 0)
        {
            string why = candidates is [{ Means: not AllocationMeans.Platform } most, ..] && most.Bytes / most.Objects < LeastSize
                && most.Share > LeastShare
                ? $"the place with most makes arrays of {Words.Bytes(most.Bytes / most.Objects)}, which cost less to allocate than to rent"
                : "no place of the program allocates enough of them";
            return $"Nothing is worth pooling: of {rate}, {arrays / Math.Max(1, all.Bytes):P0} are arrays, and {why}.";
        }

        double share = worth.Sum(one => one.Share);
        return $"{Words.Count(worth.Length, "place is", "places are")} worth pooling: {share:P0} of the {rate} that the process allocates, "
            + $"and about {worth.Sum(one => one.CollectionsAvoided):N0} of "
            + $"{Words.Count(Collections(_recording.Collections), "collection", "collections")}.";
    }

    private string LostEvents() => $"{Words.Count(_recording.LostEvents, "event was", "events were")} lost";

    private IEnumerable<string> WhatIsUnknown()
    {
        if (!_recording.IsRandom)
        {
            yield return $"{_recording.Facts.Runtime} tells of one object in 100 KiB, whichever comes then, so sizes are rough and their "
                + "errors unknown. From .NET 10 on, it samples evenly.";
        }

        if (WindowWords.Of(_recording) is { } windows)
        {
            yield return windows;
        }

        if (_recording.LostEvents > 0)
        {
            yield return $"{LostEvents()}, so all sizes are too low.";
        }

        if (_recording.Cut.HasFlag(RecordingCut.Broken))
        {
            yield return "The events broke off, as when a process crashes or is killed: methods may have no names.";
        }

        yield return "Samples do not tell how long an array is used: one that is kept for long gains nothing from a pool. A call that the "
            + "compiler inlined has no frame, so a line may be that of a call which makes the array.";
    }

    /// <summary>The sum of some samples.</summary>
    private sealed class Sum
    {
        public double Objects { get; private set; }

        public double Bytes { get; private set; }

        public double LargeBytes { get; private set; }

        public double Variance { get; private set; }

        public long Smallest { get; private set; } = long.MaxValue;

        public long Largest { get; private set; }

        public int Samples { get; private set; }

        public void Add(AllocationSample sample)
        {
            Objects += sample.Objects;
            Bytes += sample.TotalBytes;
            LargeBytes += sample.IsLarge ? sample.TotalBytes : 0;
            Variance += sample.Variance;
            Smallest = Math.Min(Smallest, sample.Bytes);
            Largest = Math.Max(Largest, sample.Bytes);
            Samples++;
        }
    }
}

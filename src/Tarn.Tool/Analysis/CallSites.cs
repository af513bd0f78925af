using System.Runtime.InteropServices;
using Tarn.Traces;

namespace Tarn.Tool.Analysis;

/// <summary>Groups the stacks of a trace into call sites.</summary>
internal sealed class CallSites(StackTable stacks, OwnCode own)
{
    private const int ShownFrames = 16;

    /// <summary>Where no method is of the program, the frames that distinguish sites.</summary>
    private const int Depth = 4;

    private readonly Dictionary<int, int> _ofStack = [];
    private readonly Dictionary<(string, StackFrame?, StackFrame?, string), int> _ofFrames = [];
    private readonly Dictionary<(int Pool, int Length), int> _ofPool = [];
    private readonly List<CallSite> _sites = [];

    public CallSite this[int site] => _sites[site];

    /// <summary>The site of a stack; of the pool and the length where no stack was recorded.</summary>
    public int Of(int stack, int pool, int length)
    {
        if (stack == 0)
        {
            ref int site = ref CollectionsMarshal.GetValueRefOrAddDefault(_ofPool, (pool, length), out bool isKnown);
            return isKnown ? site : site = Add(new CallSite([], $"pool {pool}, length {length:N0}"));
        }

        ref int known = ref CollectionsMarshal.GetValueRefOrAddDefault(_ofStack, stack, out bool wasSeen);
        if (!wasSeen)
        {
            CallSite found = Describe(stack);
            ref int site = ref CollectionsMarshal.GetValueRefOrAddDefault(_ofFrames, Key(found), out bool isKnown);
            known = isKnown ? site : site = Add(found);
        }

        return known;
    }

    /// <summary>Gives those sites more frames in their names that would else have one name. Called once, when all are known.</summary>
    public void Distinguish()
    {
        bool hasChanged = true;
        while (hasChanged)
        {
            hasChanged = false;
            foreach (IGrouping<string, int> same in
                Enumerable.Range(0, _sites.Count).GroupBy(site => _sites[site].Name).Where(group => group.Count() > 1).ToArray())
            {
                foreach (int site in same)
                {
                    if (NextOf(_sites[site]) is { } next)
                    {
                        _sites[site] = _sites[site] with { Named = [.. _sites[site].Named, next] };
                        hasChanged = true;
                    }
                }
            }
        }
    }

    private CallSite Describe(int stack)
    {
        StackFrame[] frames = [.. stacks.Walk(stack)];
        StackFrame[] ofProgram = [.. own.Of(frames)];
        bool isOwn = ofProgram.Length > 0 && ReferenceEquals(ofProgram[0], frames[0]);
        return new CallSite([.. frames.Take(ShownFrames)], "")
        {
            Own = [.. ofProgram.Take(ShownFrames)],
            Named = isOwn || ofProgram.Length == 0 ? [frames[0]] : [frames[0], ofProgram[0]],
        };
    }

    /// <summary>The frame after those of a site's name: the next of the program, or the next at all if none is.</summary>
    private static StackFrame? NextOf(CallSite site)
    {
        IReadOnlyList<StackFrame> from = site.Own.Count > 0 ? site.Own : site.Frames;
        int named = site.Own.Count > 0 ? site.Named.Count(frame => site.Own.Contains(frame)) : site.Named.Count;
        return named < from.Count ? from[named] : null;
    }

    /// <summary>
    /// What distinguishes sites: the innermost method and the first two calls of the program itself, or else some innermost methods.
    /// Methods of the platform in between are left out: they come and go with what the compiler inlined.
    /// </summary>
    private static (string, StackFrame?, StackFrame?, string) Key(CallSite site) => site.Own.Count > 0
        ? (site.Frames[0].Method, site.Own[0], site.Own.Count > 1 ? site.Own[1] : null, "")
        : ("", null, null, string.Join('\n', site.Frames.Take(Depth).Select(frame => frame.Method)));

    private int Add(CallSite site)
    {
        _sites.Add(site);
        return _sites.Count - 1;
    }
}

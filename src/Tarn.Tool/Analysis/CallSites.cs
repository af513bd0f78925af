using System.Runtime.InteropServices;
using Tarn.Traces;

namespace Tarn.Tool.Analysis;

/// <summary>Groups the stacks of a trace into call sites.</summary>
internal sealed class CallSites(TraceDetails details)
{
    private const int ShownFrames = 16;

    private readonly Dictionary<int, int> _ofStack = [];
    private readonly Dictionary<(int, int, int, int), int> _ofFrames = [];
    private readonly Dictionary<(int Pool, int Length), int> _ofPool = [];
    private readonly List<CallSite> _sites = [];

    public CallSite this[int site] => _sites[site];

    /// <summary>The number of sites found so far.</summary>
    public int Count => _sites.Count;

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
            ref int site = ref CollectionsMarshal.GetValueRefOrAddDefault(_ofFrames, Key(stack), out bool isKnown);
            known = isKnown ? site : site = Add(new CallSite([.. details.Stacks.Walk(stack).Take(ShownFrames)], ""));
        }

        return known;
    }

    private int Add(CallSite site)
    {
        _sites.Add(site);
        return _sites.Count - 1;
    }

    /// <summary>The frames that distinguish sites, from 1; 0 past the outermost.</summary>
    private (int, int, int, int) Key(int stack)
    {
        Span<int> frames = stackalloc int[CallSite.Depth];
        ReadOnlySpan<StackNode> nodes = details.Stacks.Nodes;
        for (int index = 0; index < frames.Length && stack != 0; index++)
        {
            frames[index] = nodes[stack].Frame + 1;
            stack = nodes[stack].Caller;
        }

        return (frames[0], frames[1], frames[2], frames[3]);
    }
}

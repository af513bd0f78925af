using System.Collections.Concurrent;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Tarn.Sanitizing.Checking;

/// <summary>
/// Gives the stack of each rent and return. It captures a stack when it sees it for the first time, and recognizes it later by its
/// addresses (<see cref="FrameChain"/>). All members are safe to call from any thread.
/// </summary>
/// <remarks>
/// A recognized stack may be another one that differs in a frame without a record. So some are captured again and compared, of some
/// stacks the second one already. Where they differ, only the frames that both have remain, and the report counts it.
/// </remarks>
internal sealed class StackRecorder
{
    /// <summary>The most frames that a stack keeps: those that its hash covers.</summary>
    internal const int MostFrames = 20;

    /// <summary>The links of the chain that make a site: four of the checker and the pool, and those of the program.</summary>
    private const int SiteLinks = 10;

    /// <summary>The frames that are sure to be among those.</summary>
    private const int SiteFrames = 6;

    /// <summary>Once a site has this many stacks, further ones have the frames of the site alone.</summary>
    private const int MostOfSite = 64;

    /// <summary>Once there are this many stacks, each is captured whenever it is seen, as the table must not grow for ever.</summary>
    private const int MostStacks = 1 << 16;

    /// <summary>Of the stacks, one in this many is compared when it is seen for the second time.</summary>
    private const int CheckedEarly = 4;

    private const int CheckEvery = 4096;

    private readonly ConcurrentDictionary<ulong, Known> _known = new();
    private readonly ConcurrentDictionary<ulong, Site> _sites = new();

    /// <summary>The stacks by what they hold: a method that is compiled again has other addresses and the same stacks.</summary>
    private readonly ConcurrentDictionary<RecordedStack, RecordedStack> _distinct = new();
    private readonly bool _isOff;
    private long _captured;
    private long _compared;
    private long _different;
    private int _count;

    internal StackRecorder(StackMode mode)
    {
        _isOff = mode == StackMode.Off;
        if (mode == StackMode.Known)
        {
            FrameChain.Calibrate();
            Recognizes = FrameChain.IsProven;
        }
    }

    /// <summary>Whether stacks are recognized, which most systems allow.</summary>
    internal bool Recognizes { get; }

    /// <summary>The stacks captured.</summary>
    internal long Captured => Volatile.Read(ref _captured);

    /// <summary>The recognized stacks that were captured again.</summary>
    internal long Compared => Volatile.Read(ref _compared);

    /// <summary>The recognized stacks that proved to be other ones.</summary>
    internal long Different => Volatile.Read(ref _different);

    /// <summary>Returns the stack of the caller.</summary>
    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    internal RecordedStack Record()
    {
        if (_isOff)
        {
            return RecordedStack.None;
        }

        if (!Recognizes)
        {
            return Capture();
        }

        // One call computes all hashes, because its own address takes part in them.
        ulong hash;
        ulong site;
        int covered;
        for (int pass = 0; ; pass++)
        {
            hash = FrameChain.Hash(SiteLinks, out site, learns: pass == 1, out covered);
            if (_known.TryGetValue(hash, out Known? known))
            {
                return known.IsToCheck() ? Compare(known) : known.Stack;
            }

            if (pass == 2 || hash == 0)
            {
                break;
            }
        }

        return hash == 0 ? Capture() : Learn(hash, site, covered);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private RecordedStack Learn(ulong hash, ulong site, int covered)
    {
        Site place = _sites.GetOrAdd(site, static _ => new Site());
        if (place.Innermost is { } known && Interlocked.Increment(ref place.Stacks) > MostOfSite)
        {
            return known;
        }

        RecordedStack stack = Capture(covered);
        place.Innermost ??= stack.Innermost(SiteFrames);
        if (Volatile.Read(ref _count) < MostStacks && _known.TryAdd(hash, new Known(stack, isDoubted: hash / 2 % CheckedEarly == 0)))
        {
            Interlocked.Increment(ref _count);
        }

        return stack;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private RecordedStack Compare(Known known)
    {
        RecordedStack now = Capture();
        Interlocked.Increment(ref _compared);
        if (!now.StartsWith(known.Stack))
        {
            Interlocked.Increment(ref _different);
            known.Stack = known.Stack.CommonWith(now);
        }

        return known.Stack;
    }

    /// <param name="covered">The number of frames, from the caller of <see cref="Record"/> on, that are this stack's for sure.</param>
    private RecordedStack Capture(int covered = int.MaxValue)
    {
        Interlocked.Increment(ref _captured);
        var stack = new StackTrace(fNeedFileInfo: false);

        // Only the process itself finds the symbols of an assembly that is in a bundle.
        bool needsLines = RecordedStack.NeedsLines(stack, MostFrames);
        RecordedStack read = RecordedStack.Of(needsLines ? new StackTrace(fNeedFileInfo: true) : stack, covered, MostFrames, needsLines);
        return _distinct.TryGetValue(read, out RecordedStack? known) ? known
            : _distinct.Count < MostStacks ? _distinct.GetOrAdd(read, read)
            : read;
    }

    private sealed class Known(RecordedStack stack, bool isDoubted)
    {
        private int _seen;

        internal RecordedStack Stack { get; set; } = stack;

        /// <summary>Counts without a lock, as it does not matter which ones are compared.</summary>
        internal bool IsToCheck()
        {
            int seen = ++_seen;
            return (seen == 1 && isDoubted) || (seen & (CheckEvery - 1)) == 0;
        }
    }

    private sealed class Site
    {
        internal int Stacks;

        internal RecordedStack? Innermost { get; set; }
    }
}

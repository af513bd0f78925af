using System.Diagnostics;
using System.Runtime.CompilerServices;
using Tarn.Sanitizing.Platform;

namespace Tarn.Sanitizing.Checking;

/// <summary>
/// The identity of the current stack, in some tens of nanoseconds: a hash of the return addresses on it, which tells whether this stack was
/// seen before. <see cref="StackTrace"/> takes some hundred times as long.
/// </summary>
/// <remarks>
/// <para>The compiler links most frames: a frame's record holds the address of its caller's record, then the return address. Where a
/// method's own record is, the runtime does not say. It lies at a fixed distance from a local variable of <see cref="Walk"/>, which is
/// compiled once, optimized. <see cref="Calibrate"/> finds the distance and proves it with what <see cref="StackTrace"/> says of the same
/// call. Without proof there are no hashes.</para>
/// <para>Small methods with a single call have no record, so the address at which their caller goes on is somewhere in the few words above
/// their callee's record. All words there that point into code take part in the hash. A stale one makes a known stack look new, which costs
/// time.</para>
/// <para>Every read is between the current frame and the end of the thread's stack.</para>
/// </remarks>
internal static unsafe class FrameChain
{
    /// <summary>The most frames that take part. Stacks that differ only above them have one hash.</summary>
    internal const int MostFrames = 24;

    /// <summary>Frames without a record are looked for among the innermost, which tell most.</summary>
    private const int SearchedFrames = 12;

    /// <summary>A frame without a record holds a few saved registers.</summary>
    private const int SearchedWords = 5;

    /// <summary>This class's method and the one that calls it.</summary>
    private const int OwnFrames = 2;

    private const int GranuleBits = 20;
    private const int Granules = 4096;

    /// <summary>How far from the local variable its method's record is looked for, in words.</summary>
    private const int Range = 32;

    private const MethodImplOptions Fixed = MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining;

    /// <summary>The parts of the address space that hold code, found on stacks.</summary>
    private static readonly nint[] s_code = new nint[Granules];

    /// <summary>From the local variable of <see cref="Walk"/> to its record, in words.</summary>
    private static int s_distance;

    /// <summary>Whether stacks can be told apart here.</summary>
    internal static bool IsProven { get; private set; }

    /// <summary>Returns the hash of the stack from the caller's caller on; 0 if there is none.</summary>
    /// <param name="siteFrames">The number of frames that make a site.</param>
    /// <param name="site">The hash of the innermost frames.</param>
    /// <param name="learns">Whether to note where the code of this stack lies, as for a stack that was not seen before.</param>
    /// <param name="covered">
    /// The number of frames, from the caller's caller on, that take part. Native code may keep no records, and ends the chain.
    /// </param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static ulong Hash(int siteFrames, out ulong site, bool learns, out int covered)
    {
        nint top = StackBounds.Top;
        site = 0;
        covered = 0;
        if (!IsProven || top == 0)
        {
            return 0;
        }

        ulong hash = Walk(top, siteFrames + OwnFrames, ref site, learns, ref covered, null);
        covered -= OwnFrames;
        return covered > 0 ? hash : 0;
    }

    /// <summary>Finds the distance, if there is one that the runtime's own stacks confirm.</summary>
    internal static void Calibrate()
    {
        nint top = StackBounds.Top;
        if (IsProven || top == 0)
        {
            return;
        }

        // The method that walks is called from two places of a method that is called from two places.
        Sighting[] seen = [new(), new(), new(), new()];
        CallTwice(top, seen[0], seen[1]);
        CallTwice(top, seen[2], seen[3]);
        for (int distance = -Range; distance < Range; distance++)
        {
            if (Array.TrueForAll(seen, one => one.Agrees(seen[0], distance)))
            {
                s_distance = distance;
                IsProven = true;
                return;
            }
        }
    }

    [MethodImpl(Fixed)]
    private static void CallTwice(nint top, Sighting first, Sighting second)
    {
        ulong site = 0;
        int links = 0;
        Walk(top, 0, ref site, learns: false, ref links, first);
        Walk(top, 1, ref site, learns: false, ref links, second);
    }

    [MethodImpl(Fixed)]
    private static ulong Walk(nint top, int siteFrames, ref ulong site, bool learns, ref int links, Sighting? calibration)
    {
        nint marker = 0;
        nint* local = &marker;
        if (calibration is not null)
        {
            calibration.Read(local, top);
            return 0;
        }

        ulong hash = 14695981039346656037;
        nint* record = local + s_distance;
        for (int frame = 0; frame < MostFrames; frame++)
        {
            nint next = record[0];
            if ((record[1] > (nint)record && record[1] < top) || (nuint)record[1] <= ushort.MaxValue)
            {
                // Native code used the register for something else.
                break;
            }

            links = frame + 1;
            hash = Mix(hash, record[1]);
            if (learns)
            {
                nint granule = record[1] >> GranuleBits;
                s_code[granule & (Granules - 1)] = granule;
            }

            bool hasNext = next > (nint)record && next <= top - (2 * sizeof(nint)) && (next & (sizeof(nint) - 1)) == 0;
            nint end = hasNext && frame < SearchedFrames ? next : 0;
            for (nint* word = record + 2; (nint)word < end && word < record + 2 + SearchedWords; word++)
            {
                hash = s_code[(*word >> GranuleBits) & (Granules - 1)] == *word >> GranuleBits && *word > ushort.MaxValue
                    ? Mix(hash, *word)
                    : hash;
            }

            site = frame < siteFrames ? hash : site;
            if (!hasNext)
            {
                break;
            }

            record = (nint*)next;
        }

        return hash | 1;
    }

    private static ulong Mix(ulong hash, nint word)
    {
        hash = (hash ^ (ulong)word) * 0x9E3779B97F4A7C15;
        return hash ^ (hash >> 29);
    }

    /// <summary>The words near a local variable of <see cref="Walk"/>, and what the runtime says of the same call.</summary>
    private sealed class Sighting
    {
        /// <summary>At each distance, the return address that a record there would have, and that of its caller's record.</summary>
        private readonly (nint Inner, nint Outer)[] _returns = new (nint, nint)[2 * Range];

        private (int Inner, int Outer) _offsets;

        [MethodImpl(MethodImplOptions.NoInlining)]
        internal void Read(nint* local, nint top)
        {
            for (int distance = -Range; distance < Range; distance++)
            {
                // What is below the local variable is still above this method's own frame, or at least of this stack.
                nint* record = local + distance;
                bool isInside = record + 1 < (nint*)top && record[0] > (nint)record && record[0] <= top - (2 * sizeof(nint))
                    && (record[0] & (sizeof(nint) - 1)) == 0;
                _returns[distance + Range] = isInside ? (record[1], ((nint*)record[0])[1]) : default;
            }

            var stack = new StackTrace(skipFrames: 2, fNeedFileInfo: false);
            _offsets = (stack.GetFrame(0)?.GetNativeOffset() ?? 0, stack.GetFrame(1)?.GetNativeOffset() ?? 0);
        }

        /// <summary>Whether at this distance both methods begin at the addresses at which they begin in the other sighting.</summary>
        internal bool Agrees(Sighting other, int distance)
        {
            (nint inner, nint outer) = _returns[distance + Range];
            (nint otherInner, nint otherOuter) = other._returns[distance + Range];
            return inner != 0 && outer != 0
                && inner - _offsets.Inner == otherInner - other._offsets.Inner
                && outer - _offsets.Outer == otherOuter - other._offsets.Outer;
        }
    }
}

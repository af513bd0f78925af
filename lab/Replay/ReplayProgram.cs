using System.Numerics;
using Tarn.Traces;

namespace Tarn.Lab.Replay;

/// <summary>
/// A trace as a program for each thread, prepared beforehand so that replaying costs almost nothing compared with the pool.
/// </summary>
/// <remarks>
/// <para>Each replaying thread repeats the events of its recorded threads, in order. Threads run freely, but none begins an epoch before
/// every other has ended the epoch before the previous one. Otherwise a thread that only rents would run to its end before the others
/// returned anything, and far more would be in use than ever was. A buffer that one thread rents and another returns is returned two epochs
/// later at the earliest, when it has certainly been rented, so no thread waits for a single buffer, which would take more time than any
/// pool.</para>
/// <para>Buffers whose return was not recorded are left out: the program kept or dropped them, so every pool would have to allocate
/// them.</para>
/// <para>Recorded lengths are those that were given. <c>ArrayPool.Shared</c> gives powers of two, so the length that was requested lies
/// anywhere above half of it. A program tends to request the same length repeatedly, because its call sites use constants. So for each
/// length given, one requested length is drawn from the seed. Other lengths were given as requested.</para>
/// </remarks>
internal sealed class ReplayProgram
{
    /// <summary>The most threads of a replay, unless it says otherwise.</summary>
    public const int MostThreads = 16;

    /// <summary>Events of all threads in an epoch.</summary>
    public const int EventsPerEpoch = 1_024;

    private const int EpochsToHandOver = 2;

    // A thread that does less than this share of the events is idle; idle threads are replayed as one.
    private const double IdleShare = 0.01;

    private readonly List<ReplayStep>[] _steps;
    private readonly Stack<int>[] _freePlaces;

    /// <summary>The buffers of other threads that a thread returns, with the epoch in which it may.</summary>
    private readonly Queue<(int Epoch, int Place)>[] _handedOver;

    /// <param name="trace">The trace to replay.</param>
    /// <param name="seed">What requested lengths are drawn from.</param>
    /// <param name="mostThreads">More threads than these are merged.</param>
    public ReplayProgram(BufferTrace trace, int seed, int mostThreads = MostThreads)
    {
        ReadOnlySpan<BufferEvent> events = trace.Events;
        int[] threads = Merge(trace, mostThreads, out int count);
        int[] returns = FindReturns(events);
        _steps = [.. Enumerable.Range(0, count).Select(_ => new List<ReplayStep>())];
        _freePlaces = [.. Enumerable.Range(0, count).Select(_ => new Stack<int>())];
        _handedOver = [.. Enumerable.Range(0, count).Select(_ => new Queue<(int Epoch, int Place)>())];
        OwnPlaces = new int[count];
        var rentedIn = new int[events.Length];
        var places = new int[events.Length];
        int inEpoch = 0;
        for (int index = 0; index < events.Length; index++)
        {
            BufferEvent one = events[index];
            int thread = threads[one.Thread];
            if (one.IsRent && returns[index] < 0)
            {
                LeftOut++;
                continue;
            }

            if (one.IsRent)
            {
                places[index] = threads[events[returns[index]].Thread] == thread ? TakePlace(thread) : ~CommonPlaces++;
                int length = DrawLength(one.Length, seed);
                RequestedBytes += length;
                Rents++;
                rentedIn[index] = Epochs;
                _steps[thread].Add(ReplayStep.Rent(places[index], length));
            }
            else
            {
                Return(thread, places[one.Rent], rentedIn[one.Rent] + EpochsToHandOver);
            }

            if (++inEpoch == EventsPerEpoch)
            {
                inEpoch = 0;
                EndEpoch();
            }
        }

        do
        {
            EndEpoch();
        }
        while (_handedOver.Any(queue => queue.Count > 0) || _steps.Any(steps => !steps[^1].IsEpochEnd));

        Steps = [.. _steps.Select(steps => steps.ToArray())];
        (LargestLength, MostOfALength, RecordedPeak) = FindPeaks(events, returns);
    }

    /// <summary>The steps of each thread; all have the same number of epochs.</summary>
    public ReplayStep[][] Steps { get; }

    public int Threads => _steps.Length;

    /// <summary>The number of places in each thread's own table.</summary>
    public int[] OwnPlaces { get; }

    /// <summary>The number of buffers that one thread rents and another returns. Each has a common place of its own.</summary>
    public int CommonPlaces { get; private set; }

    public int Epochs { get; private set; }

    public int Rents { get; private set; }

    /// <summary>Rents that are not replayed, because their return was not recorded.</summary>
    public int LeftOut { get; private set; }

    public long RequestedBytes { get; private set; }

    public int LargestLength { get; }

    /// <summary>The most buffers of one recorded length in use at once: the room an <c>ArrayPool.Create</c> needs in each bucket.</summary>
    public int MostOfALength { get; }

    /// <summary>The most bytes in use at once in the recording, if every element were a byte.</summary>
    public long RecordedPeak { get; }

    /// <summary>A length that may have been requested when the recorded one was given; always the same for the same seed.</summary>
    public static int DrawLength(int given, int seed)
    {
        if (!BitOperations.IsPow2(given))
        {
            return given;
        }

        // The finalizer of SplitMix64: neighbours share nothing.
        ulong mixed = (((ulong)(uint)seed << 32) | (uint)given) * 0x9e3779b97f4a7c15;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
        mixed ^= mixed >> 31;
        int half = given == SmallestGiven ? 0 : given / 2;
        return half + 1 + (int)(mixed % (ulong)Math.Max(1, given - half));
    }

    // The length given for any shorter request.
    private const int SmallestGiven = 16;

    /// <summary>Returns the replaying thread of each recorded thread: the busiest have their own, and the others share the last.</summary>
    private static int[] Merge(BufferTrace trace, int most, out int count)
    {
        var events = new int[trace.Threads];
        foreach (BufferEvent one in trace.Events)
        {
            events[one.Thread]++;
        }

        int[] busy =
        [
            .. Enumerable.Range(0, trace.Threads)
                .Where(thread => events[thread] >= IdleShare * trace.Events.Length)
                .OrderByDescending(thread => events[thread]).ThenBy(thread => thread)
                .Take(most),
        ];
        if (busy.Length == most && trace.Threads > most)
        {
            busy = busy[..^1];
        }

        count = Math.Max(1, busy.Length + (busy.Length < trace.Threads ? 1 : 0));
        int rest = count - 1;
        return [.. Enumerable.Range(0, trace.Threads).Select(thread => Array.IndexOf(busy, thread) is >= 0 and var at ? at : rest)];
    }

    /// <summary>Returns for each rent the event that returns it, or -1.</summary>
    private static int[] FindReturns(ReadOnlySpan<BufferEvent> events)
    {
        var returns = new int[events.Length];
        Array.Fill(returns, BufferEvent.None);
        for (int index = 0; index < events.Length; index++)
        {
            if (!events[index].IsRent)
            {
                returns[events[index].Rent] = index;
            }
        }

        return returns;
    }

    private static (int LargestLength, int MostOfALength, long Peak) FindPeaks(ReadOnlySpan<BufferEvent> events, int[] returns)
    {
        var inUse = new Dictionary<int, int>();
        int largest = 1;
        int most = 1;
        long now = 0;
        long peak = 0;
        for (int index = 0; index < events.Length; index++)
        {
            BufferEvent one = events[index];
            if (!one.IsRent)
            {
                inUse[one.Length]--;
                now -= one.Length;
            }
            else if (returns[index] >= 0)
            {
                inUse[one.Length] = inUse.GetValueOrDefault(one.Length) + 1;
                most = Math.Max(most, inUse[one.Length]);
                largest = Math.Max(largest, one.Length);
                now += one.Length;
                peak = Math.Max(peak, now);
            }
        }

        return (largest, most, peak);
    }

    private int TakePlace(int thread) => _freePlaces[thread].TryPop(out int place) ? place : OwnPlaces[thread]++;

    private void Return(int thread, int place, int notBefore)
    {
        if (place < 0 && notBefore > Epochs)
        {
            _handedOver[thread].Enqueue((notBefore, place));
            return;
        }

        _steps[thread].Add(ReplayStep.Return(place));
        if (place >= 0)
        {
            _freePlaces[thread].Push(place);
        }
    }

    private void EndEpoch()
    {
        Epochs++;
        for (int thread = 0; thread < Threads; thread++)
        {
            _steps[thread].Add(ReplayStep.EndOfEpoch);
            while (_handedOver[thread].TryPeek(out (int Epoch, int Place) first) && first.Epoch <= Epochs)
            {
                _steps[thread].Add(ReplayStep.Return(_handedOver[thread].Dequeue().Place));
            }
        }
    }
}

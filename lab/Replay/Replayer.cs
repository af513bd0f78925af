using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Replay;

/// <summary>
/// Replays a program against a pool on the threads of a crew, each thread as fast as it can. Passes follow each other without a pause; at
/// the
/// end of each, everything is returned.
/// </summary>
/// <remarks>
/// The measurement is the processor time of all threads without the time they wait for each other. That time belongs to the replay, and
/// would outweigh the pools, which need a few milliseconds for work that programs spread over many seconds. A pool whose threads block each
/// other pays only for going to sleep and waking, not for the time asleep.
/// </remarks>
internal sealed class Replayer<TPool> : Trial
    where TPool : struct, IBytePool
{
    // Counters of threads on cache lines of their own.
    private const int Stride = 16;

    private readonly ReplayProgram _program;
    private readonly Crew _crew;
    private readonly byte[][][] _own;
    private readonly byte[]?[] _common;
    private readonly long[] _ended;
    private readonly long[] _spent;
    private TPool _pool;

    /// <param name="name">The contender's name in the report.</param>
    /// <param name="program">The program to replay.</param>
    /// <param name="crew">As many threads as the program has.</param>
    /// <param name="pool">The pool.</param>
    public Replayer(string name, ReplayProgram program, Crew crew, TPool pool)
        : base(name, program.Rents)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(crew.Size, program.Threads);
        _program = program;
        _crew = crew;
        _pool = pool;
        _own = [.. program.OwnPlaces.Select(places => new byte[places][])];
        _common = new byte[]?[program.CommonPlaces];
        _ended = new long[(program.Threads + 1) * Stride];
        _spent = new long[(program.Threads + 1) * Stride];
    }

    /// <summary>Returns the processor time of the passes, on all threads.</summary>
    public override double Run(int iterations)
    {
        Array.Clear(_ended);
        Array.Clear(_spent);
        _ = _crew.Run(thread =>
        {
            long start = ThreadTime.Nanoseconds();
            for (int pass = 0; pass < iterations; pass++)
            {
                Replay(thread);
            }

            _spent[(thread + 1) * Stride] += ThreadTime.Nanoseconds() - start;
        });
        return _spent.Sum();
    }

    /// <summary>Forgets the buffers of earlier passes, which would otherwise stay reachable from here.</summary>
    public void Forget()
    {
        foreach (byte[][] places in _own)
        {
            Array.Clear(places);
        }
    }

    private void Replay(int thread)
    {
        ReplayStep[] steps = _program.Steps[thread];
        int next = 0;
        while (next < steps.Length)
        {
            next = ReplayEpoch(thread, steps, next);
            EndEpoch(thread);
        }
    }

    /// <summary>A separate method that is called often, so that it reaches its last tier soon.</summary>
    private int ReplayEpoch(int thread, ReplayStep[] steps, int next)
    {
        byte[][] own = _own[thread];
        ref TPool pool = ref _pool;
        while (true)
        {
            ReplayStep step = steps[next++];
            if (step.IsRent)
            {
                byte[] buffer = pool.Rent(step.Length);
                if (!step.IsCommon)
                {
                    own[step.Place] = buffer;
                }
                else
                {
                    Put(thread, ~step.Place, buffer);
                }
            }
            else if (!step.IsEpochEnd)
            {
                pool.Return(step.IsCommon ? Take(thread, ~step.Place) : own[step.Place]);
            }
            else
            {
                return next;
            }
        }
    }

    private void Put(int thread, int place, byte[] buffer)
    {
        // Full only if the previous pass's buffer was not returned yet.
        if (Volatile.Read(ref _common[place]) is not null)
        {
            Wait(thread, place, isFull: false);
        }

        Volatile.Write(ref _common[place], buffer);
    }

    private byte[] Take(int thread, int place)
    {
        if (Volatile.Read(ref _common[place]) is null)
        {
            Wait(thread, place, isFull: true);
        }

        byte[] buffer = _common[place]!;
        Volatile.Write(ref _common[place], null);
        return buffer;
    }

    /// <summary>Waits until the common place is full, or empty. This time does not count for the pool.</summary>
    private void Wait(int thread, int place, bool isFull)
    {
        long start = ThreadTime.Nanoseconds();
        for (var wait = default(SpinWait); Volatile.Read(ref _common[place]) is not null != isFull; wait.SpinOnce(sleep1Threshold: -1))
        {
        }

        _spent[(thread + 1) * Stride] -= ThreadTime.Nanoseconds() - start;
    }

    /// <summary>Waits until no thread is more than an epoch behind.</summary>
    private void EndEpoch(int thread)
    {
        long ended = _ended[(thread + 1) * Stride] + 1;
        Volatile.Write(ref _ended[(thread + 1) * Stride], ended);
        for (int other = 1; other <= _program.Threads; other++)
        {
            ref long behind = ref _ended[other * Stride];
            if (Volatile.Read(ref behind) >= ended - 1)
            {
                continue;
            }

            long start = ThreadTime.Nanoseconds();
            for (var wait = default(SpinWait); Volatile.Read(ref behind) < ended - 1; wait.SpinOnce(sleep1Threshold: -1))
            {
            }

            _spent[(thread + 1) * Stride] -= ThreadTime.Nanoseconds() - start;
        }
    }
}

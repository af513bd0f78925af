using System.Diagnostics;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Calls;

/// <summary>Rents and returns by a <see cref="CallProgram"/>, timed one by one.</summary>
internal sealed class ArrayCalls<TPool>(string name, TPool pool, IReadOnlyList<CallProgram> programs, Action? disturb = null)
    : CallsTrial(name, [CallKinds.Rent, CallKinds.Return], programs.Count, disturb)
    where TPool : struct, IBytePool
{
    /// <summary>References to a cache line: shared places lie on lines of their own.</summary>
    private const int Stride = 8;

    private readonly byte[]?[] _shared = new byte[CallProgram.SharedPlaces * Stride][];
    private readonly byte[]?[][] _own = [.. programs.Select(_ => new byte[CallProgram.OwnPlaces][])];
    private readonly int[] _steps = new int[programs.Count];
    private TPool _pool = pool;

    protected override void Work(int thread, CallTimer timer, long until)
    {
        CallProgram program = programs[thread];
        byte[]?[] own = _own[thread];
        ref TPool pool = ref _pool;
        int step = _steps[thread];
        long end;
        do
        {
            int length = program.Lengths[step];
            int place = program.Places[step];
            step = (step + 1) & (CallProgram.Steps - 1);
            long start = Stopwatch.GetTimestamp();
            byte[] buffer = pool.Rent(length);
            end = Stopwatch.GetTimestamp();
            timer.Note(0, start, end);
            buffer[0] = 1;
            buffer[^1] = 1;
            byte[]? other = buffer;
            if (place < 0)
            {
                other = Interlocked.Exchange(ref _shared[~place * Stride], buffer);
            }
            else
            {
                (own[place], other) = (buffer, own[place]);
            }

            if (other is not null)
            {
                start = Stopwatch.GetTimestamp();
                pool.Return(other);
                end = Stopwatch.GetTimestamp();
                timer.Note(1, start, end);
            }
        }
        while (end < until);
        _steps[thread] = step;
    }
}

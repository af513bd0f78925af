using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Arrays;

/// <summary>
/// Rents buffers of random lengths, writes to each, and returns three of four. Stands for programs that lose buffers on some paths:
/// exceptions, cancelled requests, results that nobody disposes. The pool must replace every fourth buffer.
/// </summary>
internal struct LossyRents<TPool>(TPool pool, RandomProgram program, int firstStep) : IWork
    where TPool : struct, IBytePool
{
    /// <summary>One buffer of this many is never returned.</summary>
    public const int LostShare = 4;

    private int _step = firstStep;

    public void Once()
    {
        int step = _step++ & (RandomProgram.Steps - 1);
        byte[] buffer = pool.Rent(program.Lengths[step]);
        buffer[0] = 1;
        if (program.Places[step] != 0)
        {
            pool.Return(buffer);
        }
    }
}

using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Arrays;

/// <summary>
/// A working set of 64 live buffers of random lengths: each operation returns one at random and rents another in its place. Stands for
/// a server with many requests in flight. The program of lengths and places is made beforehand and is the same for every pool.
/// </summary>
internal struct RandomReplace<TPool> : IWork
    where TPool : struct, IBytePool
{
    public const int LiveBuffers = 64;

    private readonly RandomProgram _program;
    private readonly byte[][] _live;
    private readonly TPool _pool;
    private int _step;

    public RandomReplace(TPool pool, RandomProgram program)
    {
        _pool = pool;
        _program = program;
        _live = new byte[LiveBuffers][];
        for (int place = 0; place < LiveBuffers; place++)
        {
            _live[place] = _pool.Rent(program.Lengths[place]);
        }
    }

    public void Once()
    {
        int step = _step++ & (RandomProgram.Steps - 1);
        ref byte[] place = ref _live[_program.Places[step]];
        _pool.Return(place);
        place = _pool.Rent(_program.Lengths[step]);
    }
}

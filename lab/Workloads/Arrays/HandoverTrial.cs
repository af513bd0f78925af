using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Arrays;

/// <summary>
/// The first member of a crew of two rents and writes, the second reads and returns, with at most <see cref="InFlight"/> buffers
/// between them. An iteration is one buffer.
/// </summary>
internal sealed class HandoverTrial<TPool>(string name, Crew crew, TPool pool, int length) : Trial(name, operationsPerIteration: 1)
    where TPool : struct, IBytePool
{
    public const int InFlight = 256;

    private readonly BoundedRing<byte[]> _ring = new(InFlight);
    private TPool _pool = pool;

    public override double Run(int iterations) => crew.Run(member =>
    {
        if (member == 0)
        {
            Produce(iterations);
        }
        else
        {
            Consume(iterations);
        }
    });

    private void Produce(int items)
    {
        ref TPool pool = ref _pool;
        for (int item = 0; item < items; item++)
        {
            byte[] buffer = pool.Rent(length);
            buffer[0] = (byte)item;
            _ring.Push(buffer);
        }
    }

    private void Consume(int items)
    {
        ref TPool pool = ref _pool;
        for (int item = 0; item < items; item++)
        {
            byte[] buffer = _ring.Pop(items - item);
            if (buffer[0] != (byte)item)
            {
                throw new InvalidOperationException($"{Name}: a buffer arrived with another sender's contents.");
            }

            pool.Return(buffer);
        }
    }
}

using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// A buffer that doubles until it is large enough, each new part written, then freed: a file or an answer of unknown length.
/// </summary>
internal unsafe struct GrowingBuffer<TAllocator>(TAllocator allocator) : IWork
    where TAllocator : struct, IReallocator
{
    public const int From = 1 << 20;
    public const int To = 256 << 20;

    // Any OS page is at least this large: one write in each makes the buffer resident.
    private const int WriteEvery = 4 << 10;

    public void Once()
    {
        byte* buffer = (byte*)allocator.Allocate(From);
        Write(buffer, 0, From);
        for (int size = From; size < To; size *= 2)
        {
            buffer = (byte*)allocator.Reallocate(buffer, (nuint)size, (nuint)size * 2);
            Write(buffer, size, size * 2);
        }

        allocator.Free(buffer, To);
    }

    private static void Write(byte* buffer, int from, int to)
    {
        for (int offset = from; offset < to; offset += WriteEvery)
        {
            buffer[offset] = 1;
        }
    }
}

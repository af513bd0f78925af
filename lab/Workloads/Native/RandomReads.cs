using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Native;

/// <summary>A read of a random element, which waits for the read before: the time until a processor has found one.</summary>
/// <param name="memory">Written memory.</param>
/// <param name="size">The bytes to read among, a power of two.</param>
internal unsafe struct RandomReads(byte* memory, int size) : IWork
{
    private readonly long* _memory = (long*)memory;
    private readonly ulong _mask = ((ulong)size / sizeof(long)) - 1;
    private ulong _state = 1;

    public void Once() =>
        _state = (_state * 6364136223846793005) + 1442695040888963407 + ((ulong)_memory[(_state >> 33) & _mask] & 1);
}

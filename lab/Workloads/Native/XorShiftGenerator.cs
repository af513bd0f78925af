namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// The generator of alloc-test: 64-bit xorshift with shifts of 11, 31 and 18, times a constant; the upper half of that is the value.
/// </summary>
internal struct XorShiftGenerator(ulong seed)
{
    private ulong _state = seed;

    public uint Next()
    {
        ulong x = _state;
        x ^= x >> 11;
        x ^= x << 31;
        x ^= x >> 18;
        _state = x;
        return (uint)((x * 0xd989bcacc137dcd5) >> 32);
    }
}

namespace Tarn.Lab.Workloads.Native;

/// <summary>The generator of mstress: the mixing function of SplitMix64 applied to its own last result.</summary>
internal struct MixGenerator(ulong seed)
{
    private ulong _state = seed;

    public ulong Next()
    {
        ulong x = _state;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
        x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
        return _state = x ^ (x >> 31);
    }

    /// <summary>True for <paramref name="percent"/> + 1 of a hundred values: the original's comparison, kept.</summary>
    public bool Chance(uint percent) => Next() % 100 <= percent;
}

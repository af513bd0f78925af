namespace Tarn.Lab.Workloads.Native;

/// <summary>MT19937 of Matsumoto and Nishimura, 32 bits: the generator of malloc-large.</summary>
internal sealed class MersenneTwister
{
    private const int Words = 624;
    private const int Offset = 397;
    private const uint UpperBit = 0x8000_0000;

    private readonly uint[] _state = new uint[Words];
    private int _next = Words;

    public MersenneTwister(uint seed)
    {
        _state[0] = seed;
        for (int word = 1; word < Words; word++)
        {
            _state[word] = (1_812_433_253 * (_state[word - 1] ^ (_state[word - 1] >> 30))) + (uint)word;
        }
    }

    public uint Next()
    {
        if (_next == Words)
        {
            Twist();
        }

        uint value = _state[_next++];
        value ^= value >> 11;
        value ^= (value << 7) & 0x9d2c_5680;
        value ^= (value << 15) & 0xefc6_0000;
        return value ^ (value >> 18);
    }

    /// <summary>Uniform from 0 to <paramref name="count"/> − 1, by the upper half of a product; C++ libraries differ in this.</summary>
    public int Below(int count) => (int)(((ulong)Next() * (uint)count) >> 32);

    private void Twist()
    {
        for (int word = 0; word < Words; word++)
        {
            uint joined = (_state[word] & UpperBit) | (_state[(word + 1) % Words] & ~UpperBit);
            _state[word] = _state[(word + Offset) % Words] ^ (joined >> 1) ^ ((joined & 1) * 0x9908_b0df);
        }

        _next = 0;
    }
}

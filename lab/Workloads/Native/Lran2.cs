namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// The generator of larson and xmalloc-test: a linear congruential one, x ← (1366 x + 150889) mod 714025, whose values are shuffled through
/// a table of 97. Small and not very random; sizes and places of those workloads are what they are because of it.
/// </summary>
internal sealed class Lran2
{
    public const int Modulus = 714_025;

    private const int Multiplier = 1_366;
    private const int Increment = 150_889;
    private const int Places = 97;

    private readonly int[] _table = new int[Places];
    private int _state;
    private int _last;

    public Lran2(int seed)
    {
        _state = Math.Abs((Increment - seed) % Modulus);
        for (int place = 0; place < Places; place++)
        {
            _table[place] = Step();
        }

        _last = Step();
    }

    /// <summary>From 0 to <see cref="Modulus"/> − 1.</summary>
    public int Next()
    {
        ref int place = ref _table[_last % Places];
        _last = place;
        place = Step();
        return _last;
    }

    private int Step() => _state = ((Multiplier * _state) + Increment) % Modulus;
}

using System.Runtime.CompilerServices;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Arrays;

/// <summary>
/// One pair for each of sixteen element types in turn: values of several sizes, structs that hold references, and references, whose
/// pools share machine code with each other.
/// </summary>
internal readonly struct ManyTypes<TPools>(TPools pools, int length) : IWork
    where TPools : struct, ITypedPools
{
    public const int Types = 16;

    public void Once()
    {
        Pair<byte>();
        Pair<bool>();
        Pair<char>();
        Pair<short>();
        Pair<int>();
        Pair<long>();
        Pair<float>();
        Pair<double>();
        Pair<decimal>();
        Pair<Guid>();
        Pair<DateTime>();
        Pair<(int, int)>();
        Pair<KeyValuePair<int, string>>();
        Pair<string>();
        Pair<object>();
        Pair<Uri>();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Pair<T>() => pools.Return(pools.Rent<T>(length));
}

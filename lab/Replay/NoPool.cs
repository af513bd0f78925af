using Tarn.Lab.Contenders.Arrays;

namespace Tarn.Lab.Replay;

/// <summary>Always returns the same array, to measure the replay without a pool.</summary>
internal readonly struct NoPool : IBytePool
{
    private static readonly byte[] s_array = new byte[1];

    public byte[] Rent(int length) => s_array;

    public void Return(byte[] array)
    {
    }
}

using Tarn.Lab.Contenders.Arrays;

namespace Tarn.Lab.Replay;

/// <summary>Gives everyone the same array: what replaying costs without a pool.</summary>
internal readonly struct NoPool : IBytePool
{
    private static readonly byte[] s_array = new byte[1];

    public byte[] Rent(int length) => s_array;

    public void Return(byte[] array)
    {
    }
}

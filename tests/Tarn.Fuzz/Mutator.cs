namespace Tarn.Fuzz;

/// <summary>Makes inputs from inputs.</summary>
internal sealed class Mutator(Random random)
{
    private const int LongestInput = 1 << 12;
    private const int MostSteps = 5;

    private static readonly long[] s_numbers =
        [
            0, 1, -1, 7, 8, 63, 64, 127, 128, 255, 256, 4095, 4096, short.MaxValue, ushort.MaxValue, int.MaxValue, int.MinValue,
            uint.MaxValue, 1L << 32, 1L << 40, 1L << 62, long.MaxValue - 4096, long.MaxValue, long.MinValue,
        ];

    /// <summary>An input near <paramref name="parent"/>, perhaps with a part of <paramref name="other"/>.</summary>
    internal byte[] Mutate(byte[] parent, byte[] other)
    {
        List<byte> bytes = [.. parent];
        for (int steps = random.Next(1, MostSteps + 1); steps > 0; steps--)
        {
            MutateOnce(bytes, other);
        }

        return bytes.Count <= LongestInput ? [.. bytes] : [.. bytes[..LongestInput]];
    }

    private void MutateOnce(List<byte> bytes, byte[] other)
    {
        int at = random.Next(bytes.Count + 1);
        if (at == bytes.Count)
        {
            Insert(bytes, at, other);
            return;
        }

        switch (random.Next(7))
        {
            case 0:
                bytes[at] ^= (byte)(1 << random.Next(8));
                break;
            case 1:
                bytes[at] = (byte)random.Next(256);
                break;
            case 2:
                bytes[at] = (byte)(bytes[at] + random.Next(-3, 4));
                break;
            case 3:
                WriteNumber(bytes, at);
                break;
            case 4:
                bytes.RemoveRange(at, Math.Min(random.Next(1, 17), bytes.Count - at));
                break;
            default:
                Insert(bytes, at, other);
                break;
        }
    }

    /// <summary>A number of the kind that is often treated amiss, of some width, most often at a multiple of it.</summary>
    private void WriteNumber(List<byte> bytes, int at)
    {
        int width = 1 << random.Next(4);
        int start = random.Next(4) == 0 ? at : at & -width;
        byte[] number = BitConverter.GetBytes(s_numbers[random.Next(s_numbers.Length)] + random.Next(-1, 2));
        for (int i = 0; i < width && start + i < bytes.Count; i++)
        {
            bytes[start + i] = number[i];
        }
    }

    private void Insert(List<byte> bytes, int at, byte[] other)
    {
        if (other.Length > 0 && random.Next(2) == 0)
        {
            int from = random.Next(other.Length);
            bytes.InsertRange(at, other.AsSpan(from, Math.Min(random.Next(1, 65), other.Length - from)).ToArray());
        }
        else
        {
            byte[] added = new byte[random.Next(1, 17)];
            random.NextBytes(added);
            bytes.InsertRange(at, added);
        }
    }
}

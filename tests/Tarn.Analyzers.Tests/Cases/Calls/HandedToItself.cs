using System;
using System.Buffers;
using System.Threading.Tasks;

/// <summary>Variables that get their own buffer again, from methods that hand back what they receive.</summary>
internal static class HandedToItself
{
    private static byte[] Rent(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer = Cleared(buffer);
        return buffer;
    }

    private static byte[] RentByTurns(int length)
    {
        byte[] one = ArrayPool<byte>.Shared.Rent(length);
        byte[] other = Cleared(one);
        one = Cleared(other);
        other = Cleared(one);
        return one;
    }

    private static void RentInto(out byte[] place, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer = Cleared(buffer);
        place = buffer;
    }

    private static async Task<byte[]> RentAsync(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        buffer = Cleared(Cleared(buffer));
        await Task.Yield();
        return buffer;
    }

    private static byte[] Cleared(byte[] buffer)
    {
        buffer[0] = 0;
        return buffer;
    }

    internal static void LosesIt(int length)
    {
        byte[] buffer = Rent(length); // expect TARN011
        buffer[0]++;
    }

    internal static void LosesTheGivenOne(int length)
    {
        RentInto(out byte[] buffer, length); // expect TARN011
        buffer[0]++;
    }

    internal static async Task LosesTheAwaitedOne(int length)
    {
        byte[] buffer = await RentAsync(length); // expect TARN011
        buffer[0]++;
    }

    internal static void ReturnsIt(int length)
    {
        byte[] buffer = RentByTurns(length);
        buffer = Cleared(buffer);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static void ReturnsItTwice(int length)
    {
        byte[] buffer = Rent(length);
        buffer = Cleared(buffer);
        ArrayPool<byte>.Shared.Return(buffer);
        ArrayPool<byte>.Shared.Return(buffer); // expect TARN001
    }
}

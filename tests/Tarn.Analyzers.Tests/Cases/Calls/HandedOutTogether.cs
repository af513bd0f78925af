using System.Buffers;

/// <summary>Methods that hand out several buffers in one tuple.</summary>
internal static class HandedOutTogether
{
    internal static int SecondLost(int length)
    {
        (byte[] first, char[] second) = RentBoth(length); // expect TARN011
        int sum = first[0] + second[0];
        ArrayPool<byte>.Shared.Return(first);
        return sum;
    }

    internal static int FirstLost(int length)
    {
        var (first, second) = RentBoth(length); // expect TARN011
        int sum = first[0] + second[0];
        ArrayPool<char>.Shared.Return(second);
        return sum;
    }

    internal static int SecondUsedLater(int length)
    {
        var (first, second) = RentBoth(length);
        ArrayPool<byte>.Shared.Return(first);
        ArrayPool<char>.Shared.Return(second);
        return second[0]; // expect TARN002
    }

    internal static int BothReturned(int length)
    {
        var (first, second) = RentBoth(length);
        int sum = first[0] + second[0];
        ArrayPool<byte>.Shared.Return(first);
        ArrayPool<char>.Shared.Return(second);
        return sum;
    }

    internal static (byte[] First, char[] Second) BothHandedOn(int length)
    {
        var (first, second) = RentBoth(length);
        return (first, second);
    }

    private static (byte[] Bytes, char[] Chars) RentBoth(int length)
    {
        byte[] bytes = ArrayPool<byte>.Shared.Rent(length);
        char[] chars = ArrayPool<char>.Shared.Rent(length);
        return (bytes, chars);
    }
}

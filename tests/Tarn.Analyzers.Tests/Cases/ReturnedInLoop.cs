using System.Buffers;
using System.IO;

internal static class ReturnedInLoop
{
    internal static void Copy(Stream source, Stream target)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(4096);
        int count;
        while ((count = source.Read(buffer, 0, 4096)) > 0) // expect TARN002
        {
            target.Write(buffer, 0, count);
            ArrayPool<byte>.Shared.Return(buffer); // expect TARN001
        }
    }

    internal static void CopyAndBreak(Stream source, Stream target)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(4096);
        while (true)
        {
            int count = source.Read(buffer, 0, 4096);
            if (count == 0)
            {
                break;
            }

            target.Write(buffer, 0, count);
        }

        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static void CopyAndRent(Stream source, Stream target)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(4096);
        int count;
        while ((count = source.Read(buffer, 0, 4096)) > 0)
        {
            target.Write(buffer, 0, count);
            ArrayPool<byte>.Shared.Return(buffer);
            buffer = ArrayPool<byte>.Shared.Rent(4096);
        }

        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static int UsedAndReturnedAgain(Stream source, int[] lengths)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(4096);
        int sum = 0;
        foreach (int length in lengths)
        {
            source.ReadExactly(buffer, 0, length); // expect TARN002
            sum += buffer[0];
            ArrayPool<byte>.Shared.Return(buffer); // expect TARN001
        }

        return sum;
    }
}

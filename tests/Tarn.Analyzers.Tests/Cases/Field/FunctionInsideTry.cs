using System;
using System.Buffers;

// A lambda that stands in a try is a method of its own: what it throws is not caught there.
internal static class FunctionInsideTry
{
    internal static void FarBehind(int count, Action<byte[]> write)
    {
        for (int i = 0; i < count; i++)
        {
            if (i % 2 == 0)
            {
                Console.WriteLine(i);
            }
            else if (i % 3 == 0)
            {
                Console.WriteLine();
            }
        }

        try
        {
            Action run = () =>
            {
                byte[] buffer = ArrayPool<byte>.Shared.Rent(100);
                write(buffer);
                ArrayPool<byte>.Shared.Return(buffer);
            };
            run();
        }
        finally
        {
            Console.WriteLine();
        }
    }

    internal static void Wrong(int count, Action<byte[]> write)
    {
        if (count > 0)
        {
            Console.WriteLine(count);
        }

        try
        {
            Action run = () =>
            {
                byte[] buffer = ArrayPool<byte>.Shared.Rent(100);
                write(buffer);
                ArrayPool<byte>.Shared.Return(buffer);
                ArrayPool<byte>.Shared.Return(buffer); // expect TARN001
            };
            run();
        }
        catch (InvalidOperationException)
        {
            Console.WriteLine();
        }
    }
}

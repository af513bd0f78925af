using System;
using System.Buffers;
using System.IO;
using System.Threading.Tasks;

/// <summary>A helper gets the array together with the task that uses it, awaits the task, and returns the array.</summary>
internal static class WaitedByHelper
{
    internal static ValueTask<int> Read(Stream stream, Memory<byte> target)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(target.Length);
        return FinishAsync(stream.ReadAsync(buffer, 0, target.Length), buffer, target);

        static async ValueTask<int> FinishAsync(Task<int> reading, byte[] local, Memory<byte> destination)
        {
            try
            {
                int read = await reading.ConfigureAwait(false);
                local.AsSpan(0, read).CopyTo(destination.Span);
                return read;
            }
            finally
            {
                ArrayPool<byte>.Shared.Return(local);
            }
        }
    }

    internal static ValueTask Write(Stream stream, ReadOnlyMemory<byte> source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(source.Length);
        source.CopyTo(buffer);
        return new ValueTask(ReturnAfterAsync(buffer, stream.WriteAsync(buffer, 0, source.Length)));
    }

    internal static async Task WriteWithoutIt(Stream stream, ReadOnlyMemory<byte> source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(source.Length);
        source.CopyTo(buffer);
        Task writing = stream.WriteAsync(buffer, 0, source.Length);
        GiveBack(buffer, source.Length); // expect TARN006
        await writing.ConfigureAwait(false);
    }

    internal static int SumOfCallee(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        return GiveBack(buffer, Sum(buffer, length));
    }

    internal static int SumAfterwards(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        GiveBack(buffer, length);
        return Sum(buffer, length); // expect TARN002
    }

    private static async Task ReturnAfterAsync(byte[] local, Task writing)
    {
        await writing.ConfigureAwait(false);
        ArrayPool<byte>.Shared.Return(local);
    }

    private static int GiveBack(byte[] local, int result)
    {
        ArrayPool<byte>.Shared.Return(local);
        return result;
    }

    private static int Sum(byte[] local, int length)
    {
        int sum = 0;
        for (int i = 0; i < length; i++)
        {
            sum += local[i];
        }

        return sum;
    }
}

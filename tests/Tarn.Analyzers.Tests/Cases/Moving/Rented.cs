using System;
using System.Buffers;
using System.IO;
using System.Threading.Tasks;
using Tarn;

// TARN102 is off by default. A lease lives on the stack of one method.
static class Rented
{
    static byte[] s_kept = [];

    static int Read(Stream source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(100); // expect TARN102
        try
        {
            return source.Read(buffer, 0, 100);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    static int OfTarn(Stream source)
    {
        byte[] buffer = BufferPool<byte>.Shared.Rent(100); // expect TARN102
        try
        {
            return source.Read(buffer, 0, 100);
        }
        finally
        {
            BufferPool<byte>.Shared.Return(buffer);
        }
    }

    static int Cleared(Stream source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(100);
        try
        {
            return source.Read(buffer, 0, 100);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer, clearArray: true);
        }
    }

    static async Task<int> ReadAsync(Stream source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(100);
        try
        {
            return await source.ReadAsync(buffer);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    static void UsedAfterwards(Stream source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(100);
        try
        {
            source.ReadExactly(buffer, 0, 1);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }

        s_kept = buffer; // expect TARN003
    }

    static int Replaced(Stream source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(100); // expect TARN011
        try
        {
            buffer = new byte[10];
            return source.Read(buffer, 0, 1);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer); // expect TARN008
        }
    }

    static int Captured(Stream source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(100);
        try
        {
            Func<int> read = () => source.Read(buffer, 0, 1);
            return read();
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    static int OwnPool(ArrayPool<byte> pool, Stream source)
    {
        byte[] buffer = pool.Rent(100);
        try
        {
            return source.Read(buffer, 0, 1);
        }
        finally
        {
            pool.Return(buffer);
        }
    }

    static int Commented(Stream source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(100);
        try
        {
            return source.Read(buffer, 0, 1);
        }
        finally
        {
            // A comment that the fix would drop.
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    static System.Threading.Tasks.Task UsedByTask(Stream target)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(100);
        try
        {
            return target.WriteAsync(buffer, 0, 1); // expect TARN006
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}

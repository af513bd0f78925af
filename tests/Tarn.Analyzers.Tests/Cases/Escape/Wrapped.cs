using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

internal sealed class Wrapped
{
    internal static Stream Unpacked(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            source.ReadExactly(buffer, 0, length);
            return new GZipStream(new MemoryStream(buffer, 0, length), CompressionMode.Decompress); // expect TARN003
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static byte[] UnpackedAtOnce(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        source.ReadExactly(buffer, 0, length);
        using GZipStream unpacking = new(new MemoryStream(buffer, 0, length), CompressionMode.Decompress);
        MemoryStream unpacked = new();
        unpacking.CopyTo(unpacked);
        ArrayPool<byte>.Shared.Return(buffer);
        return unpacked.ToArray();
    }

    internal static string ReadAtOnce(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        source.ReadExactly(buffer, 0, length);
        using BinaryReader reader = new(new MemoryStream(buffer, 0, length));
        string text = reader.ReadString();
        ArrayPool<byte>.Shared.Return(buffer);
        return text;
    }

    internal static Func<int> Later(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            source.ReadExactly(buffer, 0, length);
            return () => buffer[0]; // expect TARN003
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static Func<int> LaterOfCopy(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        source.ReadExactly(buffer, 0, length);
        int first = buffer[0];
        ArrayPool<byte>.Shared.Return(buffer);
        return () => first;
    }

    internal static Action GivesBack(Stream source, int length, bool isDone)
    {
        byte[]? buffer = ArrayPool<byte>.Shared.Rent(length);
        Action giveBack = () =>
        {
            if (!isDone)
            {
                ArrayPool<byte>.Shared.Return(buffer);
            }
        };
        source.ReadExactly(buffer, 0, length);
        if (isDone)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }

        return giveBack;
    }

    internal static IEnumerable<byte> Query(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            source.ReadExactly(buffer, 0, length);
            return buffer.Take(length).Where(static value => value != 0); // expect TARN003
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static IEnumerable<byte> Asked(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            source.ReadExactly(buffer, 0, length);
            return buffer.Take(length).Where(static value => value != 0).ToList();
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static int AskedTooLate(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        source.ReadExactly(buffer, 0, length);
        IEnumerable<byte> set = buffer.Take(length).Where(static value => value != 0);
        ArrayPool<byte>.Shared.Return(buffer);
        return set.Count(); // expect TARN002
    }

    internal static List<ReadOnlyMemory<byte>> Listed(Stream source)
    {
        List<ReadOnlyMemory<byte>> all = [];
        for (int i = 0; i < 3; i++)
        {
            byte[] buffer = ArrayPool<byte>.Shared.Rent(10);
            source.ReadExactly(buffer, 0, 10);
            all.Add(buffer.AsMemory(0, 10));
            ArrayPool<byte>.Shared.Return(buffer);
        }

        return all; // expect TARN003
    }

    internal static List<byte[]> ListedAndTakenOut(Stream source)
    {
        List<byte[]> all = new();
        byte[] buffer = ArrayPool<byte>.Shared.Rent(10);
        source.ReadExactly(buffer, 0, 10);
        all.Add(buffer);
        Console.WriteLine(all[0][0]);
        all.Clear();
        ArrayPool<byte>.Shared.Return(buffer);
        return all;
    }

    internal static List<byte[]> ListedAndTreated(Stream source, Action<List<byte[]>> treat)
    {
        List<byte[]> all = new();
        byte[] buffer = ArrayPool<byte>.Shared.Rent(10);
        source.ReadExactly(buffer, 0, 10);
        all.Add(buffer);
        Replace(all);
        ArrayPool<byte>.Shared.Return(buffer);
        return all;
    }

    internal static Task Run(Stream target, int length, CancellationToken token)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            return Task.Run(() => target.Write(buffer, 0, length), token); // expect TARN006
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static async Task RunAndAwait(Stream target, int length, CancellationToken token)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            await Task.Run(() => target.Write(buffer, 0, length), token);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static void RunAndSignal(Stream target, int length, ManualResetEventSlim done)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        _ = Task.Run(() =>
        {
            target.Write(buffer, 0, length);
            done.Set();
        });
        done.Wait();
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static Task RunWithReturn(Stream target, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        return Task.Run(() =>
        {
            target.Write(buffer, 0, length);
            ArrayPool<byte>.Shared.Return(buffer);
        });
    }

    private static void Replace(List<byte[]> all)
    {
        all[0] = [1, 2, 3];
    }
}

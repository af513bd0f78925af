// UlyssesWu/FreeMote#160 (commit 4e8da7f): the decompressed file was read through a stream over the whole pooled array, so what was
// written to disk ended with bytes of the files before. The fix gives the stream the length that was asked for.
using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;

internal static class Decompiler
{
    public static void Extract(Archive archive, string key, int length, IReadOnlyList<string> possibleNames, bool isFast, string directory)
    {
        byte[] body = ArrayPool<byte>.Shared.Rent(length);
        archive.Read(body, length);

        var packed = new MemoryStream(body, 0, length, false);
        MemoryStream? plain = null;
        byte[]? decompressed = null;
        int decompressedLength = 0;
        string name = key;
        if (isFast)
        {
            decompressedLength = Shell.GetPlainLength(packed);
            decompressed = ArrayPool<byte>.Shared.Rent(decompressedLength);
        }

        foreach (var possibleName in possibleNames)
        {
            try
            {
                if (isFast)
                {
                    Shell.Decompress(packed, decompressed!, possibleName);
                    plain = new MemoryStream(decompressed!, 0, decompressedLength, false);
                }
                else
                {
                    plain = Shell.Decompress(packed, possibleName);
                }
            }
            catch (InvalidDataException)
            {
                packed.Dispose();
                packed = new MemoryStream(body, 0, length, false);
                plain = null;
            }

            if (plain != null)
            {
                name = possibleName;
                break;
            }
        }

        bool isReturned = false;
        string path = Path.Combine(directory, name);
        if (plain == null)
        {
            plain = packed;
        }
        else
        {
            packed.Dispose();
            ArrayPool<byte>.Shared.Return(body);
            isReturned = true;
        }

        using (var file = File.Create(path))
        {
            plain.WriteTo(file);
        }

        plain.Dispose();
        if (!isReturned)
        {
            ArrayPool<byte>.Shared.Return(body);
        }

        if (isFast)
        {
            ArrayPool<byte>.Shared.Return(decompressed!);
        }
    }
}

internal abstract class Archive
{
    public abstract void Read(byte[] target, int length);
}

internal static class Shell
{
    public static int GetPlainLength(Stream packed) => packed.ReadByte();

    public static void Decompress(Stream packed, byte[] target, string key) => packed.ReadExactly(target, 0, key.Length);

    public static MemoryStream Decompress(Stream packed, string key)
    {
        var plain = new MemoryStream(key.Length);
        packed.CopyTo(plain);
        return plain;
    }
}

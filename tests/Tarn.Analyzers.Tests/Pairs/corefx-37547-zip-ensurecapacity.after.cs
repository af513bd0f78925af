// dotnet/corefx#37547 (ZipFileUtils.EnsureCapacity).
// The array of a ref parameter went back to the pool before its successor was rented: when Rent throws, the caller's
// variable still holds it, and the caller's finally returns it again. The fix rents and assigns first, and returns last.
using System.Buffers;
using System.Collections.Generic;
using System.IO;

internal static class ArchiveWriter
{
    internal static List<string> EntryNames(IEnumerable<FileInfo> files, int rootLength)
    {
        List<string> names = new();
        char[] buffer = ArrayPool<char>.Shared.Rent(260);
        try
        {
            foreach (FileInfo file in files)
            {
                names.Add(EntryFromPath(file.FullName, rootLength, ref buffer));
            }
        }
        finally
        {
            ArrayPool<char>.Shared.Return(buffer);
        }

        return names;
    }

    private static string EntryFromPath(string path, int offset, ref char[] buffer)
    {
        int length = path.Length - offset;
        EnsureCapacity(ref buffer, length);
        path.CopyTo(offset, buffer, 0, length);
        for (int i = 0; i < length; i++)
        {
            if (buffer[i] == Path.DirectorySeparatorChar)
            {
                buffer[i] = '/';
            }
        }

        return new string(buffer, 0, length);
    }

    private static void EnsureCapacity(ref char[] buffer, int min)
    {
        if (buffer.Length < min)
        {
            int newCapacity = buffer.Length * 2;
            if (newCapacity < min)
            {
                newCapacity = min;
            }

            char[] oldBuffer = buffer;
            buffer = ArrayPool<char>.Shared.Rent(newCapacity);
            ArrayPool<char>.Shared.Return(oldBuffer);
        }
    }
}

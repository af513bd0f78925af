using System;
using System.Buffers;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Text;

static class WrongSources
{
    static string Hash(string password)
    {
        byte[] bytes = ArrayPool<byte>.Shared.Rent(Encoding.UTF8.GetByteCount(password));
        try
        {
            int count = Encoding.UTF8.GetBytes(password, bytes);
            return Convert.ToHexString(SHA256.HashData(bytes.AsSpan(0, count)));
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    static bool Check(string user, string passphrase, Func<char[], int, bool> check)
    {
        char[] line = ArrayPool<char>.Shared.Rent(user.Length + passphrase.Length);
        user.CopyTo(0, line, 0, user.Length);
        passphrase.AsSpan().CopyTo(line.AsSpan(user.Length));
        bool isRight = check(line, user.Length + passphrase.Length);
        ArrayPool<char>.Shared.Return(line);
        return isRight;
    }

    static int Longest(Dictionary<string, int> lengths)
    {
        (string Name, int Length)[] entries = ArrayPool<(string Name, int Length)>.Shared.Rent(lengths.Count);
        int count = 0;
        foreach (KeyValuePair<string, int> pair in lengths)
        {
            entries[count].Name = pair.Key;
            entries[count++].Length = pair.Value;
        }

        int longest = count > 0 ? entries[count - 1].Length : 0;
        ArrayPool<(string Name, int Length)>.Shared.Return(entries); // expect TARN009
        return longest;
    }
}

static class RightSources
{
    static string Hash(string password)
    {
        byte[] bytes = ArrayPool<byte>.Shared.Rent(Encoding.UTF8.GetByteCount(password));
        try
        {
            int count = Encoding.UTF8.GetBytes(password, bytes);
            return Convert.ToHexString(SHA256.HashData(bytes.AsSpan(0, count)));
        }
        finally
        {
            CryptographicOperations.ZeroMemory(bytes);
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    static string HashOfHash(string passwordHash, string name)
    {
        byte[] bytes = ArrayPool<byte>.Shared.Rent(Encoding.UTF8.GetByteCount(passwordHash) + 100);
        int count = Encoding.UTF8.GetBytes(passwordHash, bytes);
        count += Encoding.UTF8.GetBytes(name, 0, name.Length, bytes, count);
        string text = Convert.ToHexString(SHA256.HashData(bytes.AsSpan(0, count)));
        ArrayPool<byte>.Shared.Return(bytes);
        return text;
    }

    static int LengthOf(string password, byte[] seen)
    {
        byte[] lengths = ArrayPool<byte>.Shared.Rent(seen.Length);
        seen.CopyTo(lengths, 0);
        int result = Encoding.UTF8.GetByteCount(password) + lengths[0];
        ArrayPool<byte>.Shared.Return(lengths);
        return result;
    }

    static int Numbers(Dictionary<string, int> lengths)
    {
        (int Length, int Place)[] entries = ArrayPool<(int Length, int Place)>.Shared.Rent(lengths.Count);
        int count = 0;
        foreach (KeyValuePair<string, int> pair in lengths)
        {
            entries[count].Length = pair.Value;
            entries[count].Place = count++;
        }

        int last = count > 0 ? entries[count - 1].Length : 0;
        ArrayPool<(int Length, int Place)>.Shared.Return(entries);
        return last;
    }

    static void ByReference(List<object> values)
    {
        object[] kept = ArrayPool<object>.Shared.Rent(values.Count);
        values.CopyTo(kept);
        foreach (ref object value in kept.AsSpan(0, values.Count))
        {
            Console.WriteLine(value);
            value = null!;
        }

        ArrayPool<object>.Shared.Return(kept);
    }
}

// option tarn_sensitive_names = pin, token
using System;
using System.Buffers;
using System.IO;
using System.Security.Cryptography;
using System.Text;

[AttributeUsage(AttributeTargets.Parameter | AttributeTargets.Field | AttributeTargets.Property)]
internal sealed class SensitiveBufferAttribute : Attribute;

/// <summary>The next renter can read what was decrypted, derived or typed.</summary>
internal sealed class Secrets : IDisposable
{
    [SensitiveBuffer]
    private byte[]? _seed = ArrayPool<byte>.Shared.Rent(32);

    public static void Decrypts(AesGcm aes, byte[] nonce, byte[] ciphertext, byte[] tag, Stream target)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(ciphertext.Length);
        try
        {
            aes.Decrypt(nonce, ciphertext, tag, array.AsSpan(0, ciphertext.Length));
            target.Write(array, 0, ciphertext.Length);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(array); // expect TARN010
        }
    }

    public static void DecryptsAndClears(AesGcm aes, byte[] nonce, byte[] ciphertext, byte[] tag, Stream target)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(ciphertext.Length);
        try
        {
            aes.Decrypt(nonce, ciphertext, tag, array.AsSpan(0, ciphertext.Length));
            target.Write(array, 0, ciphertext.Length);
        }
        finally
        {
            CryptographicOperations.ZeroMemory(array.AsSpan(0, ciphertext.Length));
            ArrayPool<byte>.Shared.Return(array);
        }
    }

    public static void Encrypts(AesGcm aes, byte[] nonce, ReadOnlySpan<byte> source, byte[] tag, Stream target)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(source.Length);
        aes.Encrypt(nonce, source, array.AsSpan(0, source.Length), tag);
        target.Write(array, 0, source.Length);
        ArrayPool<byte>.Shared.Return(array);
    }

    public static void Derives(string phrase, byte[] salt, Span<byte> target)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(32);
        Rfc2898DeriveBytes.Pbkdf2(phrase, salt, array.AsSpan(0, 32), 100_000, HashAlgorithmName.SHA256);
        array.AsSpan(0, 32).CopyTo(target);
        ArrayPool<byte>.Shared.Return(array); // expect TARN010
    }

    public static void Exports(RSA rsa, Stream target)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(4096);
        if (rsa.TryExportPkcs8PrivateKey(array, out int written))
        {
            target.Write(array, 0, written);
        }

        ArrayPool<byte>.Shared.Return(array); // expect TARN010
    }

    public static void ExportsPublic(RSA rsa, Stream target)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(4096);
        if (rsa.TryExportSubjectPublicKeyInfo(array, out int written))
        {
            target.Write(array, 0, written);
        }

        ArrayPool<byte>.Shared.Return(array);
    }

    public static void Hashes(ReadOnlySpan<byte> source, Span<byte> target)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(32);
        SHA256.HashData(source, array);
        array.AsSpan(0, 32).CopyTo(target);
        ArrayPool<byte>.Shared.Return(array);
    }

    public static void RandomKey(ReadOnlySpan<byte> source, Span<byte> target)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(32);
        RandomNumberGenerator.Fill(array.AsSpan(0, 32));
        HMACSHA256.HashData(array.AsSpan(0, 32), source, target);
        ArrayPool<byte>.Shared.Return(array); // expect TARN010
    }

    public static void RandomSalt(Stream target)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(32);
        RandomNumberGenerator.Fill(array.AsSpan(0, 32));
        target.Write(array, 0, 32);
        ArrayPool<byte>.Shared.Return(array);
    }

    public static void Owner(RSA rsa, byte[] ciphertext, Stream target)
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(512); // expect TARN010
        int written = rsa.Decrypt(ciphertext, owner.Memory.Span, RSAEncryptionPadding.OaepSHA256);
        target.Write(owner.Memory.Span[..written]);
    }

    public static void OwnerCleared(RSA rsa, byte[] ciphertext, Stream target)
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(512);
        int written = rsa.Decrypt(ciphertext, owner.Memory.Span, RSAEncryptionPadding.OaepSHA256);
        target.Write(owner.Memory.Span[..written]);
        owner.Memory.Span.Clear();
    }

    public static void Named(string text, Stream target)
    {
        byte[] passwordBytes = ArrayPool<byte>.Shared.Rent(100);
        int count = Encoding.UTF8.GetBytes(text, passwordBytes);
        target.Write(passwordBytes, 0, count);
        ArrayPool<byte>.Shared.Return(passwordBytes); // expect TARN010
    }

    public static void NamedByOption(string text, Stream target)
    {
        byte[] userPin = ArrayPool<byte>.Shared.Rent(100);
        int count = Encoding.UTF8.GetBytes(text, userPin);
        target.Write(userPin, 0, count);
        ArrayPool<byte>.Shared.Return(userPin); // expect TARN010
    }

    public static void NamedAndCleared(string text, Stream target)
    {
        byte[] passwordBytes = ArrayPool<byte>.Shared.Rent(100);
        int count = Encoding.UTF8.GetBytes(text, passwordBytes);
        target.Write(passwordBytes, 0, count);
        ArrayPool<byte>.Shared.Return(passwordBytes, clearArray: true);
    }

    /// <summary>The span has the name that tells, the array has not.</summary>
    public static int NamedSpan(string text, Span<byte> target)
    {
        byte[]? rented = null;
        Span<byte> credentials = text.Length < 100 ? stackalloc byte[300] : (rented = ArrayPool<byte>.Shared.Rent(text.Length * 3));
        int count = Encoding.UTF8.GetBytes(text, credentials);
        credentials[..count].CopyTo(target);
        if (rented is not null)
        {
            ArrayPool<byte>.Shared.Return(rented); // expect TARN010
        }

        return count;
    }

    public static int NamedSpanCleared(string text, Span<byte> target)
    {
        byte[]? rented = null;
        Span<byte> credentials = text.Length < 100 ? stackalloc byte[300] : (rented = ArrayPool<byte>.Shared.Rent(text.Length * 3));
        int count = Encoding.UTF8.GetBytes(text, credentials);
        credentials[..count].CopyTo(target);
        credentials.Clear();
        if (rented is not null)
        {
            ArrayPool<byte>.Shared.Return(rented);
        }

        return count;
    }

    public static void HashOfPassword(ReadOnlySpan<byte> source, Stream target)
    {
        byte[] passwordHash = ArrayPool<byte>.Shared.Rent(32);
        SHA256.HashData(source, passwordHash);
        target.Write(passwordHash, 0, 32);
        ArrayPool<byte>.Shared.Return(passwordHash);
    }

    public void Marked()
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(32);
        ReadSecret(array);
        ArrayPool<byte>.Shared.Return(array); // expect TARN010
    }

    public void Dispose()
    {
        byte[]? seed = _seed;
        _seed = null;
        if (seed is not null)
        {
            ArrayPool<byte>.Shared.Return(seed); // expect TARN010
        }
    }

    private static void ReadSecret([SensitiveBuffer] Span<byte> target) => target[0] = 1;
}

// meziantou/Meziantou.Framework#2362: passwords longer than the stack buffer were hashed together with what else the pooled array held, so they
// never matched, and the password was left in it. The fix slices the span and clears it.
using System;
using System.Buffers;
using System.Security.Cryptography;
using System.Text;

internal static class Htpasswd
{
    private static bool VerifySha1(ReadOnlySpan<char> password, ReadOnlySpan<char> expectedHash)
    {
        var byteCount = Encoding.UTF8.GetByteCount(password);
        byte[]? rentedBytes = null;

        var passwordBytes = byteCount <= 256
            ? stackalloc byte[byteCount]
            : (rentedBytes = ArrayPool<byte>.Shared.Rent(byteCount));

        try
        {
            _ = Encoding.UTF8.GetBytes(password, passwordBytes);

            Span<byte> hashBytes = stackalloc byte[20];
            _ = SHA1.HashData(passwordBytes, hashBytes); // expect TARN007

            Span<char> base64 = stackalloc char[28];
            _ = Convert.TryToBase64Chars(hashBytes, base64, out var charsWritten);

            return expectedHash.SequenceEqual(base64[..charsWritten]);
        }
        finally
        {
            if (rentedBytes is not null)
            {
                ArrayPool<byte>.Shared.Return(rentedBytes); // expect TARN010
            }
        }
    }
}

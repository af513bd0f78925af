// meziantou/Meziantou.Framework#3106: the decoded user name and password went back to the shared pool as they were.
// The fix zeroes the decoded bytes in the finally.
using System;
using System.Buffers;
using System.Security.Cryptography;
using System.Text;

internal static class BasicAuthentication
{
    private const int StackallocThreshold = 256;

    private static bool TryDecodeCredentials(string encodedCredentials, out string credentials)
    {
        byte[]? rentedBuffer = null;
        scoped Span<byte> credentialBytes = default;

        try
        {
            var maxDecodedLength = GetMaximumDecodedLength(encodedCredentials.Length);
            credentialBytes = maxDecodedLength <= StackallocThreshold ? stackalloc byte[maxDecodedLength] : (rentedBuffer = ArrayPool<byte>.Shared.Rent(maxDecodedLength)).AsSpan(0, maxDecodedLength);

            if (!Convert.TryFromBase64String(encodedCredentials, credentialBytes, out var bytesWritten))
            {
                credentials = "";
                return false;
            }

            credentials = Encoding.UTF8.GetString(credentialBytes[..bytesWritten]);
            return true;
        }
        finally
        {
            CryptographicOperations.ZeroMemory(credentialBytes);
            if (rentedBuffer is not null)
            {
                ArrayPool<byte>.Shared.Return(rentedBuffer);
            }
        }
    }

    private static int GetMaximumDecodedLength(int encodedLength) => (int)((encodedLength + 3L) / 4L * 3L);
}

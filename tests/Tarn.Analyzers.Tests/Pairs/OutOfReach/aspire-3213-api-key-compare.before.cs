// dotnet/aspire#3213 and #3350 (CompareHelpers.CompareKey of the dashboard).
// The key of a request was encoded into a rented array for a comparison in fixed time and left in the array when it was
// returned. The fix returns it cleared.
using System;
using System.Buffers;
using System.Security.Cryptography;
using System.Text;

internal static class KeyComparer
{
    private const int StackThreshold = 256;

    internal static bool CompareKey(byte[] expectedKey, string requestKey)
    {
        int byteCount = Encoding.UTF8.GetByteCount(requestKey);

        byte[]? requestPooled = null;
        Span<byte> request = (byteCount <= StackThreshold
            ? stackalloc byte[StackThreshold]
            : (requestPooled = ArrayPool<byte>.Shared.Rent(byteCount))).Slice(0, byteCount);

        try
        {
            Encoding.UTF8.GetBytes(requestKey, request);
            return CryptographicOperations.FixedTimeEquals(expectedKey, request);
        }
        finally
        {
            if (requestPooled != null)
            {
                ArrayPool<byte>.Shared.Return(requestPooled); // a reader sees TARN010
            }
        }
    }
}

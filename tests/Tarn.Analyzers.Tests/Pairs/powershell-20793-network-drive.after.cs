// PowerShell/PowerShell#20793: each time the name of a drive did not fit, a larger array took the place of the last one, and only the last
// came back to the pool. The fix returns the array of a round at its end.
using System;
using System.Buffers;

internal static unsafe class NetworkDrives
{
    private const int Success = 0;
    private const int NotSupported = 50;
    private const int MoreData = 234;
    private const int MaximumPath = 260;

    private static bool s_isNotAvailable;

    internal static int GetName(char drive, out string? name)
    {
        name = null;
        if (s_isNotAvailable)
        {
            return NotSupported;
        }

        uint size = MaximumPath;

        ReadOnlySpan<char> driveName = stackalloc char[] { drive, ':', '\0' };
        Span<char> buffer = stackalloc char[(int)size];

        char[]? rented = null;
        while (true)
        {
            int error;
            try
            {
                try
                {
                    error = Native.GetConnection(driveName, buffer, ref size);
                }
                catch (DllNotFoundException)
                {
                    s_isNotAvailable = true;
                    return NotSupported;
                }

                if (error == Success)
                {
                    fixed (char* start = buffer)
                    {
                        name = new string(start);
                    }
                }
            }
            finally
            {
                if (rented is not null)
                {
                    ArrayPool<char>.Shared.Return(rented);
                }
            }

            if (error == MoreData)
            {
                buffer = rented = ArrayPool<char>.Shared.Rent((int)size);
            }
            else
            {
                return error;
            }
        }
    }
}

internal static class Native
{
    internal static int GetConnection(ReadOnlySpan<char> local, Span<char> remote, ref uint length)
    {
        length = (uint)local.Length;
        remote.Clear();
        return remote.Length < length ? 234 : 0;
    }
}

internal sealed class DllNotFoundException : Exception;

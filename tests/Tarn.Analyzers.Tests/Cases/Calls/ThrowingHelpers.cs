using System;
using System.Buffers;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;

/// <summary>Helpers that return a buffer and may throw, and calls that some builds leave out.</summary>
internal static class ThrowingHelpers
{
    internal static void ReturnedUnlessItThrew()
    {
        byte[]? array = ArrayPool<byte>.Shared.Rent(128);
        try
        {
            Give(array);
            array = null;
        }
        finally
        {
            if (array is not null)
            {
                Give(array);
            }
        }
    }

    internal static void UsedIfItThrew(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(128);
        try
        {
            Give(array);
        }
        catch (InvalidOperationException)
        {
            stream.Write(array, 0, 128);
            throw;
        }
    }

    internal static void ReturnedAgainAfterIt(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(128);
        try
        {
            Give(array);
            stream.Flush();
        }
        finally
        {
            Give(array); // expect TARN001
        }
    }

    internal static byte[]? LostBeforeFailure(int length)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        if (array[0] == 0)
        {
            // A release build leaves this call out.
            Debug.Fail("Corrupt data.");
            return null;
        }

        return array;
    }

    private static void Give(byte[] buffer) => ArrayPool<byte>.Shared.Return(buffer);

    /// <summary>A collection that keeps an array of references writes none of them.</summary>
    internal sealed class Pages(ArrayPool<object> pool)
    {
        private readonly List<object[]> _leased = [];

        internal object[] Get(int size)
        {
            object[]? page = null;
            try
            {
                page = pool.Rent(size);
                _leased.Add(page);
            }
            catch when (page is not null)
            {
                pool.Return(page);
                throw;
            }

            return page;
        }
    }

    /// <summary>The only callers of a private method are in its type, and none returns what is left in its variable if it throws.</summary>
    internal static class Names
    {
        internal static string Get(IntPtr handle)
        {
            byte[]? rented = null;
            Span<byte> buffer = stackalloc byte[4];
            string name = Get(handle, buffer, ref rented);
            if (rented is not null)
            {
                ArrayPool<byte>.Shared.Return(rented);
            }

            return name;
        }

        private static string Get(IntPtr handle, Span<byte> buffer, ref byte[]? rented)
        {
            int length = buffer.Length;
            if (handle != IntPtr.Zero)
            {
                if (rented is not null)
                {
                    ArrayPool<byte>.Shared.Return(rented);
                }

                rented = ArrayPool<byte>.Shared.Rent(length * 2);
                buffer = rented;
            }

            return Convert.ToHexString(buffer[..length]);
        }
    }
}

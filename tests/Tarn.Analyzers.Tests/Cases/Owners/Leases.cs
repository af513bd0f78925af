using System;
using System.IO;
using Tarn;

internal static class Leases
{
    internal static int Lost(Stream source)
    {
        BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(10); // expect TARN011
        source.ReadExactly(lease.Span);
        return lease.Span[0];
    }

    internal static Span<byte> Outlived(int length)
    {
        using BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(length);
        lease.Span.Clear();
        return lease.Span; // expect TARN003
    }

    internal static int UsedAfter(Stream source)
    {
        BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(10);
        source.ReadExactly(lease.Span);
        lease.Dispose();
        return lease.Span[0]; // expect TARN002
    }

    internal static int Once(Stream source)
    {
        using BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(10);
        source.ReadExactly(lease.Span);
        return lease.Span[0] + lease.Length;
    }

    internal static int Twice(Stream source)
    {
        BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(10);
        source.ReadExactly(lease.Span);
        int first = lease.Span[0];
        lease.Dispose();
        lease.Dispose();
        return first + lease.Length;
    }

    internal static BufferLease<byte> HandedOver(int length)
    {
        BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(length);
        lease.Span.Clear();
        return lease;
    }

    internal static int Filled(Stream source)
    {
        BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(10);
        try
        {
            Fill(ref lease, source);
            return lease.Span[0];
        }
        finally
        {
            lease.Dispose();
        }
    }

    private static void Fill(ref BufferLease<byte> lease, Stream source) => source.ReadExactly(lease.Span);
}

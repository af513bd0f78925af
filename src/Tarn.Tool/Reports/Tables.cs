using Tarn.Pages;
using Tarn.Tool.Analysis;

namespace Tarn.Tool.Reports;

/// <summary>The tables of the page. Times are in nanoseconds, as the shared table shows them.</summary>
internal static class Tables
{
    private const int ShownSites = 100;
    private const double Microsecond = 1e3;

    public static Table Held(Findings findings) => new()
    {
        Id = "held",
        Title = "Call sites by their longest hold",
        Columns =
        [
            new("Call site", ColumnKind.Text), new("Longest", ColumnKind.Nanoseconds), new("Mean", ColumnKind.Nanoseconds),
            new("Rented", ColumnKind.Number), new("Held at the end", ColumnKind.Number), new("Bytes held", ColumnKind.Bytes),
        ],
        Rows =
        [
            .. findings.Held.Take(ShownSites).Select(site => new object?[]
            {
                site.Site.Name, site.LongestMicroseconds * Microsecond,
                site.Returned == 0 ? null : site.MeanMicroseconds * Microsecond, (double)site.Rented, (double)site.HeldAtEnd,
                (double)site.HeldBytes,
            }),
        ],
        Note = "Buffers that count as lost are not held. The mean is of the buffers that came back.",
    };

    public static Table Allocated(Findings findings) => new()
    {
        Id = "allocated-sites",
        Title = "Call sites by allocated bytes",
        Columns =
        [
            new("Call site", ColumnKind.Text), new("Bytes", ColumnKind.Bytes), new("Buffers", ColumnKind.Number),
            new("Too long for the pool", ColumnKind.Number),
        ],
        Rows =
        [
            .. findings.Allocated.Take(ShownSites).Select(site => new object?[]
            {
                site.Site.Name, (double)site.Bytes, (double)site.Buffers, (double)site.TooLong,
            }),
        ],
    };

    public static Table Threads(Findings findings) => new()
    {
        Id = "flows",
        Title = "Threads that rent, and threads that return",
        Columns = [new("Rented on", ColumnKind.Number), new("Returned on", ColumnKind.Number), new("Buffers", ColumnKind.Number)],
        Rows =
        [
            .. findings.Threading.Select(flow => new object?[]
            {
                (double)flow.RentingThread, (double)flow.ReturningThread, (double)flow.Buffers,
            }),
        ],
        Note = "Threads are numbered in the order in which they first rented or returned.",
    };

    public static Table Pools(Findings findings) => new()
    {
        Id = "pools",
        Title = "Pools",
        Columns =
        [
            new("Pool", ColumnKind.Text), new("Rented", ColumnKind.Number), new("Bytes", ColumnKind.Bytes),
            new("Allocated", ColumnKind.Number), new("Dropped", ColumnKind.Number), new("Trimmed", ColumnKind.Number),
        ],
        Rows =
        [
            .. findings.Pools.Select(pool => new object?[]
            {
                pool.Name, (double)pool.Rented, (double)pool.RentedBytes, (double)pool.Allocated, (double)pool.Dropped,
                (double)pool.Trimmed,
            }),
        ],
    };
}

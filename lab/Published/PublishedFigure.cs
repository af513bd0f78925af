using System.Globalization;

namespace Tarn.Lab.Published;

/// <summary>A figure that others published, for one method over a range of sizes, possibly as a range of times.</summary>
internal sealed record PublishedFigure(string Method, long FromSize, long ToSize, double LowNanoseconds, double HighNanoseconds)
{
    public PublishedFigure(string method, long size, double nanoseconds)
        : this(method, size, size, nanoseconds, nanoseconds)
    {
    }

    /// <summary>The value at which it is drawn: the middle of a range on a logarithmic axis.</summary>
    public double Middle => Math.Sqrt(LowNanoseconds * HighNanoseconds);

    public bool Covers(string method, long size) => Method == method && size >= FromSize && size <= ToSize;

    /// <summary><c>14–18 ns</c>, <c>2.8 ms</c>.</summary>
    public string Text
    {
        get
        {
            (double divisor, string unit) = HighNanoseconds switch
            {
                >= 1e6 => (1e6, "ms"),
                >= 1e4 => (1e3, "µs"),
                _ => (1, "ns"),
            };
            string high = (HighNanoseconds / divisor).ToString("#,0.##", CultureInfo.InvariantCulture);
            string low = (LowNanoseconds / divisor).ToString("#,0.##", CultureInfo.InvariantCulture);
            return low == high ? $"{high} {unit}" : $"{low}–{high} {unit}";
        }
    }
}

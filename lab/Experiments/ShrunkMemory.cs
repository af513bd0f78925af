using Tarn.Lab.Results;

namespace Tarn.Lab.Experiments;

/// <summary>Resident bytes over the seconds of a load that shrinks, on top of what the process had before.</summary>
/// <param name="Contender">Whose memory it is.</param>
/// <param name="Points">Seconds and bytes, in order.</param>
/// <param name="ShrunkAt">The second at which the live set had become a tenth.</param>
internal sealed record ShrunkMemory(string Contender, IReadOnlyList<Point> Points, double ShrunkAt)
{
    public double Peak => Points.Max(point => point.Y);

    /// <summary>The last sample before that much time had passed since the live set was a tenth.</summary>
    public double After(TimeSpan time) => Points.Last(point => point.X <= ShrunkAt + time.TotalSeconds).Y;

    public double AtEnd => Points[^1].Y;

}

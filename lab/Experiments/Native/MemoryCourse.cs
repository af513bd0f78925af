using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Native;

/// <summary>The additional resident bytes over the seconds of a load and the time after it.</summary>
/// <param name="Contender">The allocator.</param>
/// <param name="Points">Seconds and bytes, in order.</param>
/// <param name="LoadEnd">The second at which the load ended, by freeing or shrinking.</param>
internal sealed record MemoryCourse(string Contender, IReadOnlyList<Point> Points, double LoadEnd)
{
    public double Peak => Points.Max(point => point.Y);

    /// <summary>Returns the last sample before a time had passed since the load ended, or the last sample of all.</summary>
    public double After(TimeSpan time) => Points.Last(point => point.X <= LoadEnd + time.TotalSeconds).Y;

    public double AtEnd => Points[^1].Y;

    /// <summary>The share of the peak that is still resident at the end.</summary>
    public double ShareAtEnd => AtEnd / Peak;
}

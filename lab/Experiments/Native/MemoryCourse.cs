using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Native;

/// <summary>Resident bytes over the seconds of a load and what came after it, on top of what the process had before.</summary>
/// <param name="Contender">Whose memory it is.</param>
/// <param name="Points">Seconds and bytes, in order.</param>
/// <param name="LoadEnd">The second at which the load was over: freed, or shrunk.</param>
internal sealed record MemoryCourse(string Contender, IReadOnlyList<Point> Points, double LoadEnd)
{
    public double Peak => Points.Max(point => point.Y);

    /// <summary>The last sample before that much time had passed since the load was over, or the very last one.</summary>
    public double After(TimeSpan time) => Points.Last(point => point.X <= LoadEnd + time.TotalSeconds).Y;

    public double AtEnd => Points[^1].Y;

    /// <summary>What is still resident at the end, of all that ever was.</summary>
    public double ShareAtEnd => AtEnd / Peak;
}

using Tarn.Lab.Results;

namespace Tarn.Lab.Experiments;

/// <summary>Resident bytes over the seconds of a load and the quiet after it, on top of what the process had before.</summary>
/// <param name="Contender">Whose memory it is.</param>
/// <param name="Points">Seconds and bytes, in order.</param>
/// <param name="IdleFrom">The second at which the last block was freed.</param>
internal sealed record FreedMemory(string Contender, IReadOnlyList<Point> Points, double IdleFrom)
{
    public double Peak => Points.Max(point => point.Y);

    /// <summary>The last sample before that much quiet had passed, or the very last one.</summary>
    public double After(TimeSpan quiet) => Points.Last(point => point.X <= IdleFrom + quiet.TotalSeconds).Y;

    public double AtEnd => Points[^1].Y;

    /// <summary>What is still resident at the end, of all that ever was.</summary>
    public double ShareAtEnd => AtEnd / Peak;
}

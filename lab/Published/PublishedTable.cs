using Tarn.Lab.Model;

namespace Tarn.Lab.Published;

/// <summary>
/// Figures of one document. They are shown beside ours for their shape only, because they come from another machine and year.
/// </summary>
internal sealed record PublishedTable(string Source, IReadOnlyList<PublishedFigure> Figures)
{
    public PublishedFigure? Find(string method, long size) => Figures.FirstOrDefault(figure => figure.Covers(method, size));

    /// <summary>One dashed line a method, at the sizes that the document mentions.</summary>
    public IReadOnlyList<Series> ToSeries(IReadOnlyList<long> sizes) =>
    [
        .. Figures.Select(figure => figure.Method).Distinct().Select(method => new Series(
            $"{method}, published",
            SeriesRole.Published,
            [.. sizes.Select(size => (Size: size, Figure: Find(method, size))).Where(at => at.Figure is not null).Select(at =>
                new Point(at.Size, at.Figure!.Middle))])),
    ];
}

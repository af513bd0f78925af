namespace Tarn.Lab.Model;

/// <summary>One experiment as a reader sees it: the question, pictures and tables.</summary>
internal sealed record Section
{
    /// <summary>Stable and unique: the name for <c>--only</c>.</summary>
    public required string Id { get; init; }

    public required string Title { get; init; }

    /// <summary>Plain text, a paragraph or two: the subject, the method, and how to read the results.</summary>
    public required string Text { get; init; }

    public IReadOnlyList<Chart> Charts { get; init; } = [];

    public IReadOnlyList<Table> Tables { get; init; } = [];
}

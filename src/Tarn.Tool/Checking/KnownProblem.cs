using System.Text.Json.Serialization;
using Tarn.Tool.Analysis;

namespace Tarn.Tool.Checking;

/// <summary>A problem that a baseline accepts, however often it happens and however sure it is.</summary>
internal sealed record KnownProblem
{
    public required ProblemKind Kind { get; init; }

    /// <summary>The methods that identify it: <see cref="CallSite.Identity"/>.</summary>
    public required string Site { get; init; }

    /// <summary>The innermost calls of the program's own methods, with lines: see <see cref="SiteIdentity.Calls"/>.</summary>
    public IReadOnlyList<string> Calls { get; init; } = [];

    /// <summary>How often it happened, which earlier versions wrote. It does not matter: it varies from run to run.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public long? Count { get; init; }

    /// <summary>What is compared.</summary>
    [JsonIgnore]
    public SiteIdentity Identity => new(Site, Calls);

    /// <summary>Whether two problems are one.</summary>
    public bool Is(KnownProblem other) => Kind == other.Kind && Identity.Is(other.Identity);
}

namespace Tarn.Lab.Claims;

/// <summary>What the documents would state differently if a run was committed beside the others, as of another kind of processor.</summary>
internal static class ClaimChanges
{
    /// <summary>Returns a line for each claim that the run measured worse, as far as documents show it.</summary>
    /// <param name="measured">The claims of the run.</param>
    /// <param name="committed">The claims under lab/results, each the worst of all runs.</param>
    public static IEnumerable<string> Of(IEnumerable<ClaimResult> measured, IEnumerable<ClaimResult> committed) =>
        from claim in measured
        join stated in committed on claim.Id equals stated.Id
        where !(claim.Value <= stated.Value) && claim.Figure != stated.Figure
        select $"{claim.Id} would change from {stated.Figure} to {claim.Figure}";
}

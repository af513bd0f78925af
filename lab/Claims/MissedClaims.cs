using System.Globalization;
using System.Text;

namespace Tarn.Lab.Claims;

/// <summary>The claims whose bounds committed runs exceed: the table that documents show between the markers of <see cref="Id"/>.</summary>
internal static class MissedClaims
{
    public const string Id = "missed";

    /// <summary>
    /// What the run measured, the bound, and the run; a sentence if there is no such claim. Bounds are those of <paramref name="claims"/>,
    /// because a recorded file has those of its day.
    /// </summary>
    public static string Table(string repositoryRoot, IEnumerable<Claim> claims)
    {
        Dictionary<string, Claim> byId = claims.ToDictionary(claim => claim.Id);
        StringBuilder rows = new();
        string results = Path.Combine(repositoryRoot, "lab", "results");
        foreach (string path in ClaimFile.FindCommitted(repositoryRoot))
        {
            string run = Path.GetRelativePath(results, Path.GetDirectoryName(path)!).Replace('\\', '/');
            foreach (ClaimResult measured in ClaimFile.Read(path).Claims)
            {
                if (byId.TryGetValue(measured.Id, out Claim? claim) && !(measured.Value <= claim.Bound))
                {
                    rows.Append(
                        CultureInfo.InvariantCulture,
                        $"| `{claim.Id}` | {Sentence(claim, measured.Value)} | {claim.Style.Format(claim.Bound)} "
                            + $"| [{run}](../lab/results/{run}/) |\n");
                }
            }
        }

        return rows.Length == 0 ? "\n\nNone.\n" : $"\n\n| claim | measured | bound | run |\n|---|---|---|---|\n{rows}";
    }

    /// <summary>Some sentences continue the one before.</summary>
    private static string Sentence(Claim claim, double value)
    {
        string text = string.Format(CultureInfo.InvariantCulture, claim.Sentence, claim.Style.Format(value)).TrimEnd('.', ',', ';');
        return char.IsLower(text[0]) ? "… " + text : text;
    }
}

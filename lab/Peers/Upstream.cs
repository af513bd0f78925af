using System.Text.Json;
using Tarn.Lab.Report;

namespace Tarn.Lab.Peers;

/// <summary>What the peers' authors had published when somebody last looked: the file <c>upstream.json</c>.</summary>
/// <param name="LookedUp">When that was.</param>
/// <param name="Peers">The peers by their names.</param>
internal sealed record Upstream(DateOnly LookedUp, IReadOnlyDictionary<string, Upstream.Versions> Peers)
{
    /// <exception cref="InvalidDataException">The file is not one of peers.</exception>
    public static Upstream Read()
    {
        string path = Path.Combine(AppContext.BaseDirectory, "Peers", "upstream.json");
        try
        {
            return JsonSerializer.Deserialize<Upstream>(File.ReadAllText(path), ReportJson.Options)
                ?? throw new InvalidDataException($"{path} is empty: restore it from the repository.");
        }
        catch (JsonException exception)
        {
            throw new InvalidDataException($"{path} does not list peers: {exception.Message}", exception);
        }
    }

    /// <param name="Newest">The newest release.</param>
    /// <param name="Released">When versions were released: the newest, and those that were measured.</param>
    internal sealed record Versions(string Newest, IReadOnlyDictionary<string, DateOnly> Released)
    {
        /// <summary>When a version was released, as the table shows it.</summary>
        public string DateOf(string? version) =>
            version is not null && Released.TryGetValue(version, out DateOnly date)
                ? date.ToString("yyyy-MM-dd", System.Globalization.CultureInfo.InvariantCulture)
                : "";
    }
}

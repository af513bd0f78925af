using System.Globalization;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Tarn.Pages;
using Tarn.Traces;

namespace Tarn.Tool.Allocations;

/// <summary>Sends a profile to a server of Grafana Pyroscope, or one that takes the same.</summary>
internal static class ProfilePush
{
    private const string Endpoint = "ingest";

    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(60);

    /// <summary>Sends a profile in pprof's format.</summary>
    /// <param name="server">The address of the server, with a user and a password if it wants them.</param>
    /// <param name="name">What the server is to call the program.</param>
    /// <param name="start">When the profile begins.</param>
    /// <param name="duration">How long it is.</param>
    /// <param name="profile">The profile.</param>
    /// <param name="values">What its samples count, with the units.</param>
    /// <exception cref="RecordingException">The server is not reached, or refuses it.</exception>
    public static async Task SendAsync(
        Uri server, string name, DateTimeOffset start, TimeSpan duration, byte[] profile, (string Type, string Unit)[] values)
    {
        var query = string.Create(
            CultureInfo.InvariantCulture,
            $"name={Uri.EscapeDataString(name)}&from={start.ToUnixTimeSeconds()}&until={(start + duration).ToUnixTimeSeconds() + 1}"
            + $"&format=pprof&spyName=tarn&sampleRate=100");
        var address = new UriBuilder(server) { UserName = "", Password = "", Query = query };
        address.Path = $"{address.Path.TrimEnd('/')}/{Endpoint}";
        using var content = new MultipartFormDataContent
        {
            { new ByteArrayContent(profile), "profile", "profile.pb.gz" },
            { new StringContent(TypesOf(values)), "sample_type_config", "sample_type_config.json" },
        };
        using var client = new HttpClient { Timeout = s_longest };
        if (server.UserInfo.Length > 0)
        {
            client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue(
                "Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes(Uri.UnescapeDataString(server.UserInfo))));
        }

        try
        {
            using HttpResponseMessage answer = await client.PostAsync(address.Uri, content).ConfigureAwait(false);
            if (!answer.IsSuccessStatusCode)
            {
                string text = await answer.Content.ReadAsStringAsync().ConfigureAwait(false);
                string why = $"{(int)answer.StatusCode} {answer.ReasonPhrase} {text}".TrimEnd();
                throw new RecordingException($"{address.Host} refused the profile: {ForeignText.Line(why)}");
            }
        }
        catch (Exception exception) when (exception is HttpRequestException or TaskCanceledException)
        {
            throw new RecordingException($"The profile was not sent: {address.Host} is not reached: {exception.Message}", exception);
        }
    }

    private static string TypesOf((string Type, string Unit)[] values) => JsonSerializer.Serialize(
        values.ToDictionary(one => one.Type, one => new Dictionary<string, object>
        {
            ["units"] = one.Unit == "count" ? "objects" : one.Unit,
            ["display-name"] = one.Type,
            ["aggregation"] = "sum",
            ["cumulative"] = false,
            ["sampled"] = true,
        }));
}

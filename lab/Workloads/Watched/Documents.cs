using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Tarn.Lab.Workloads.Watched;

/// <summary>
/// Work that allocates much: each document is parsed, changed, sorted and written, and takes the place of another one that is kept. So
/// objects of all ages die, and the collector collects all generations.
/// </summary>
internal sealed class Documents
{
    /// <summary>About the bytes that a kept document has.</summary>
    private const int KeptBytes = 8 << 10;

    private const int Lines = 24;

    private readonly Dictionary<string, object>[] _kept;
    private readonly Random _random = new(1);
    private readonly byte[] _text;

    /// <param name="keptMegabytes">The size of the documents that are kept.</param>
    public Documents(int keptMegabytes)
    {
        _text = Encoding.UTF8.GetBytes(Write());
        _kept = new Dictionary<string, object>[((long)keptMegabytes << 20) / KeptBytes];
        for (int index = 0; index < _kept.Length; index++)
        {
            _kept[index] = Parse();
        }
    }

    /// <summary>Works on some documents, one of which in sixteen is kept. Returns something of each.</summary>
    public long Work(int count)
    {
        long bytes = 0;
        for (int index = 0; index < count; index++)
        {
            Dictionary<string, object> document = Parse();
            using var stream = new MemoryStream();
            JsonSerializer.Serialize(stream, document.OrderBy(line => line.Key, StringComparer.Ordinal).ToDictionary());
            bytes += stream.ToArray().Length;
            if (index % 16 == 0)
            {
                _kept[_random.Next(_kept.Length)] = document;
            }
        }

        return bytes;
    }

    private static string Write()
    {
        var text = new StringBuilder("{");
        for (int line = 0; line < Lines; line++)
        {
            text.Append(line == 0 ? "" : ",");
            text.Append(CultureInfo.InvariantCulture, $"\"line {line}\":[\"an article of some length\",{line},{line * 1.5}]");
        }

        return text.Append('}').ToString();
    }

    private Dictionary<string, object> Parse()
    {
        using JsonDocument document = JsonDocument.Parse(_text);
        return document.RootElement.EnumerateObject().ToDictionary(
            line => line.Name, object (line) => line.Value.EnumerateArray().Select(one => one.ToString()).ToArray());
    }
}

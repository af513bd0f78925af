using System.Text.Json;
using Tarn.Sanitizing.Checking;
using Tarn.Traces;

namespace Tarn.Tool.Sanitizing;

/// <summary>What one process reported.</summary>
internal sealed class ReportedProcess
{
    /// <summary>Between a method and its caller.</summary>
    private const string CallerMark = " ← ";

    private readonly List<ReportedIncident> _incidents = [];
    private readonly List<string> _complaints = [];
    private readonly HashSet<ReportedSite> _sites = [];
    private readonly Dictionary<int, IReadOnlyList<StackFrame>> _stacks = [];
    private readonly Dictionary<int, ReportedIncident> _groups = [];

    public int Id { get; private set; }

    public string Command { get; private set; } = "";

    /// <summary>The buffers that were rented and watched; 0 if the process did not come to its end.</summary>
    public long Rents { get; private set; }

    /// <summary>Whether the process came to its end. What was killed cannot say what it held.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>Whether stacks were recognized, rather than each captured.</summary>
    public bool Recognizes { get; private set; }

    /// <summary>Incidents at places beyond those that a process tells apart.</summary>
    public long Ungrouped { get; private set; }

    public IReadOnlyList<ReportedIncident> Incidents => _incidents;

    public IReadOnlyList<string> Complaints => _complaints;

    public IReadOnlyCollection<ReportedSite> Sites => _sites;

    /// <summary>
    /// Reads the reports of all processes in a folder, the first to start first. An empty one is of a process that could not write.
    /// </summary>
    public static IReadOnlyList<ReportedProcess> ReadAll(string folder)
    {
        using var frames = new FrameReader();
        return
        [
            .. Directory.GetFiles(folder, "*.jsonl").OrderBy(File.GetCreationTimeUtc).ThenBy(path => path, StringComparer.Ordinal)
                .Select(path => Read(path, frames)).Where(process => process.Id != 0),
        ];
    }

    private static ReportedProcess Read(string path, FrameReader frames)
    {
        var process = new ReportedProcess();
        using var reader = new StreamReader(new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite));
        while (reader.ReadLine() is { } line)
        {
            if (TryParse(line) is { } parsed)
            {
                using (parsed)
                {
                    process.Take(parsed.RootElement, frames);
                }
            }
        }

        return process;
    }

    /// <summary>Null for the line in which a process was killed.</summary>
    private static JsonDocument? TryParse(string line)
    {
        try
        {
            return JsonDocument.Parse(line);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private void Take(JsonElement line, FrameReader frames)
    {
        switch (Text(line, "type"))
        {
            case "start":
                Id = (int)Number(line, "process");
                Command = Text(line, "command");
                Recognizes = Number(line, "recognizes") != 0;
                break;
            case "complaint":
                _complaints.Add(Text(line, "text"));
                break;
            case "stack":
                _stacks.Add((int)Number(line, "id"), [.. line.GetProperty("frames").EnumerateArray().Select(frames.Read)]);
                break;
            case "site":
                _ = _sites.Add(new ReportedSite(
                    Text(line, "role") == nameof(SiteRole.Returns), (uint)Number(line, "hash"), ReadableName(Text(line, "name"))));
                break;
            case "incident":
                TakeIncident(line);
                break;
            case "count" when _groups.TryGetValue((int)Number(line, "group"), out ReportedIncident? known):
                known.Count = Number(line, "count");
                known.Bytes = Number(line, "bytes");
                break;
            case "ungrouped":
                Ungrouped = Number(line, "count");
                break;
            case "end":
                HasEnded = true;
                Rents = Number(line, "rents");
                break;
        }
    }

    private void TakeIncident(JsonElement line)
    {
        var incident = new ReportedIncident
        {
            Process = Id,
            Kind = Enum.Parse<IncidentKind>(Text(line, "kind")),
            Pool = Text(line, "pool"),
            Element = Text(line, "element"),
            Length = Number(line, "length"),
            Detail = Text(line, "detail"),
            Bytes = Number(line, "bytes"),
            At = Stack(line, "at"),
            Rented = Stack(line, "rented"),
            Returned = Stack(line, "returned"),
        };
        _incidents.Add(incident);
        _groups[(int)Number(line, "group")] = incident;
    }

    private IReadOnlyList<StackFrame> Stack(JsonElement line, string role) =>
        _stacks.TryGetValue((int)Number(line, role), out IReadOnlyList<StackFrame>? stack) ? stack : [];

    private static string ReadableName(string place) => string.Join(
        CallerMark, place.Split(PlaceName.Between, StringSplitOptions.None).Select(MethodNames.Readable));

    private static string Text(JsonElement line, string name) => line.GetProperty(name).GetString()!;

    private static long Number(JsonElement line, string name) => line.GetProperty(name).GetInt64();
}

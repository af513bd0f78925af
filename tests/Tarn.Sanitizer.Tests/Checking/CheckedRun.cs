using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text.Json;
using Tarn.Lab.Tests;
using Tarn.Sanitizing.Checking;
using Tarn.Sanitizing.Checking.Reporting;

namespace Tarn.Sanitizing.Tests.Checking;

/// <summary>A checker whose pools a test uses itself, and what it reported.</summary>
internal sealed class CheckedRun : IDisposable
{
    private readonly TemporaryDirectory _folder = new();

    public CheckedRun(params (string Key, string Value)[] options)
    {
        Options = CheckerOptions.Parse(options.Select(one => KeyValuePair.Create(one.Key, one.Value)));
        Checker = new Checker(Options, ReportFile.Create(_folder.Path));
    }

    public CheckerOptions Options { get; }

    public Checker Checker { get; }

    public string Folder => _folder.Path;

    /// <summary>The checked pool that serves instead of a pool of the framework.</summary>
    public ArrayPool<T> PoolFor<T>(ArrayPool<T> original) => (ArrayPool<T>)Checker.Find(original, typeof(T))!;

    public ArrayPool<T> Shared<T>() => PoolFor(ArrayPool<T>.Shared);

    /// <summary>The lines of a type, as the report has them by now.</summary>
    public IReadOnlyList<JsonElement> Lines(string type) =>
    [
        .. Directory.GetFiles(_folder.Path).SelectMany(ReadLines)
            .Select(static line => JsonDocument.Parse(line).RootElement)
            .Where(line => line.GetProperty("type").GetString() == type),
    ];

    /// <summary>The kinds of all incidents, in the order in which they were found.</summary>
    public IReadOnlyList<string> Kinds() => [.. Lines("incident").Select(static line => line.GetProperty("kind").GetString()!)];

    /// <summary>The methods of a stack that an incident names.</summary>
    public IReadOnlyList<string> Methods(JsonElement incident, string role)
    {
        int id = incident.GetProperty(role).GetInt32();
        return id == 0
            ? []
            : [.. Lines("stack").Single(line => line.GetProperty("id").GetInt32() == id).GetProperty("frames").EnumerateArray()
                .Select(static frame => frame.GetProperty("method").GetString()!)];
    }

    /// <summary>Lets go of what the caller no longer refers to, until a loss can have been reported.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Collect()
    {
        for (int round = 0; round < 4; round++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }

    public void Dispose() => _folder.Dispose();

    private static string[] ReadLines(string path)
    {
        using var reader = new StreamReader(new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite));
        return reader.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }
}

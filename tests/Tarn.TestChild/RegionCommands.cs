using System.Collections.Concurrent;
using System.Globalization;
using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>
/// Executes commands on regions, one per line of standard input, and answers each with a line: the result, or the exception. At the end of
/// the input it ends as programs do that never dispose anything.
/// </summary>
/// <remarks>Bytes are those of a stamp: at each offset the stamp plus the offset, modulo 251.</remarks>
internal static class RegionCommands
{
    private static readonly Dictionary<string, SharedRegion> s_regions = [];

    internal static void Run(string[] arguments)
    {
        NamedMemory names = RegionSystem.Open(arguments[0], arguments[1]);
        while (Console.ReadLine() is { } line)
        {
            Console.WriteLine(Answer(names, line.Split(' ')));
        }
    }

    private static string Answer(NamedMemory names, string[] words)
    {
        try
        {
            return Do(names, words[0], words.Length > 1 ? words[1] : "", words.Length > 2 ? words[2] : "");
        }
#pragma warning disable CA1031 // the process that sent the command examines any exception
        catch (Exception e)
#pragma warning restore CA1031
        {
            return $"{e.GetType().Name}: {e.Message}";
        }
    }

    private static string Do(NamedMemory names, string command, string name, string argument) => command switch
    {
        "pid" => Environment.ProcessId.ToString(CultureInfo.InvariantCulture),
        "identity" => ProcessIdentity.Self.Value.ToString(CultureInfo.InvariantCulture),
        "create" => Keep(SharedRegion.Create(names, name, Number(argument), options: null)),
        "create-kept" => Keep(SharedRegion.Create(names, name, Number(argument), new SharedRegionOptions { DeleteOnDispose = false })),
        "create-for-all" =>
            Keep(SharedRegion.Create(names, name, Number(argument), new SharedRegionOptions { Mode = (UnixFileMode)0b110_110_110 })),
        "create-huge" => Keep(SharedRegion.Create(names, name, Number(argument), new SharedRegionOptions { HugePages = true })),
        "open" => Keep(SharedRegion.Open(names, name)),
        "create-or-open" => Keep(SharedRegion.CreateOrOpen(names, name, Number(argument), options: null)),
        "dispose" => Dispose(name),
        "delete" => SharedRegion.Delete(names, name).ToString(),
        "abandoned" => SharedRegion.DeleteAbandoned(names).ToString(CultureInfo.InvariantCulture),
        "list" =>
            string.Join(
                ", ",
                SharedRegion.List(names).Order(Comparer<SharedRegionInfo>.Create(static (a, b) => string.CompareOrdinal(a.Name, b.Name)))),
        "fill" => Fill(s_regions[name], Number(argument)),
        "verify" => Verify(s_regions[name], Number(argument)),
        "free" => new DriveInfo(names.Directory).AvailableFreeSpace.ToString(CultureInfo.InvariantCulture),
        "files" => string.Join(", ", Directory.EnumerateFileSystemEntries(names.Directory).Select(static path => Path.GetFileName(path))),
        "without-files" => WithoutFiles(names, name),
        "crowd" => Crowd(names, name, Number(argument)),
        "fail-fast" => FailFast(),
        "exit" => Exit(),
        _ => throw new ArgumentException($"There is no command {command}."),
    };

    private static long Number(string text) => long.Parse(text, CultureInfo.InvariantCulture);

    private static string Keep(SharedRegion region)
    {
        s_regions[region.Name] = region;
        return $"{region.Size}";
    }

    private static string Dispose(string name)
    {
        s_regions[name].Dispose();
        return "disposed";
    }

    private static unsafe string Fill(SharedRegion region, long stamp)
    {
        for (long i = 0; i < region.Size; i++)
        {
            region.Pointer[i] = (byte)((stamp + i) % 251);
        }

        return "filled";
    }

    private static unsafe string Verify(SharedRegion region, long stamp)
    {
        for (long i = 0; i < region.Size; i++)
        {
            if (region.Pointer[i] != (byte)((stamp + i) % 251))
            {
                return $"other from {i} on: {region.Pointer[i]}";
            }
        }

        return "verified";
    }

    /// <summary>
    /// Opens as many files as it may, then tries. It fails once for another reason beforehand, so that the runtime needs no file for it
    /// later.
    /// </summary>
    private static string WithoutFiles(NamedMemory names, string name)
    {
        string[] commands = ["create", "open", "delete", "list"];
        string present = name + ".present";
        Answer(names, ["create-kept", present, "1"]);
        foreach (string command in (string[])[.. commands, "create"])
        {
            Answer(names, [command, present, "1"]);
        }

        Answer(names, ["create-kept", present, "1"]);
        List<FileStream> open = [];
        try
        {
            while (true)
            {
                open.Add(new FileStream("/dev/null", FileMode.Open, FileAccess.Read));
            }
        }
        catch (IOException)
        {
        }

        string[] answers =
        [
            Answer(names, ["create", name, "1"]), Answer(names, ["open", present]), Answer(names, ["delete", present]),
        ];
        open.ForEach(static file => file.Dispose());
        return string.Join("; ", answers);
    }

    /// <summary>Many threads create regions and write to all of them. Returns each distinct outcome once.</summary>
    private static string Crowd(NamedMemory names, string name, long size)
    {
        ConcurrentDictionary<string, bool> results = new();
        Task[] tasks = [.. Enumerable.Range(0, 6).Select(thread => Task.Factory.StartNew(
            () =>
            {
                for (int round = 0; round < 200; round++)
                {
                    try
                    {
                        using SharedRegion region = SharedRegion.Create(names, $"{name}{thread}", size, options: null);
                        region.GetSpan(0, (int)size).Fill(1);
                        results["served"] = true;
                    }
                    catch (IOException e)
                    {
                        bool isRefusal = e.Message.Contains($"tarn.{name}{thread} cannot have", StringComparison.Ordinal);
                        results[isRefusal ? "refused" : e.Message] = true;
                    }
                }
            },
            CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default))];
        Task.WaitAll(tasks);
        return string.Join(", ", results.Keys.OrderDescending(StringComparer.Ordinal));
    }

    private static string FailFast()
    {
        Environment.FailFast("told to");
        return "";
    }

    private static string Exit()
    {
        Environment.Exit(0);
        return "";
    }
}

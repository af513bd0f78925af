using System.Globalization;
using Microsoft.Win32.SafeHandles;
using Tarn.Tool.Memory.Mappings;
using Tarn.Traces;

namespace Tarn.Tool.Memory.Figures;

/// <summary>What the kernel of Linux tells of a process in the files of <c>/proc</c>.</summary>
/// <param name="process">The process id.</param>
internal sealed class ProcFiles(int process)
{
    private const long Kilobyte = 1_024;

    private readonly string _folder = $"/proc/{process.ToString(CultureInfo.InvariantCulture)}";

    /// <summary>Whether this system has such files, with the mappings of each process.</summary>
    public static bool AreThere { get; } = File.Exists("/proc/self/smaps");

    /// <summary>The name of its executable; empty if it is hidden.</summary>
    public string Program => TryRead("comm").TrimEnd();

    /// <summary>Its variables, as it was started; empty if they are hidden.</summary>
    public IReadOnlyDictionary<string, string> Variables => TryRead("environ").Split('\0')
        .Select(one => one.Split('=', 2)).Where(pair => pair.Length == 2)
        .GroupBy(pair => pair[0], StringComparer.Ordinal)
        .ToDictionary(pairs => pairs.Key, pairs => pairs.First()[1], StringComparer.Ordinal);

    /// <summary>The mappings of the process.</summary>
    /// <exception cref="RecordingException">There is no such process, or its files admit only another user.</exception>
    public IReadOnlyList<Mapping> ReadMappings()
    {
        try
        {
            using StreamReader text = File.OpenText($"{_folder}/smaps");
            return MappingList.Read(text);
        }
        catch (Exception exception) when (exception is IOException && !Directory.Exists(_folder))
        {
            throw new RecordingException($"There is no process {process}. tarn ps lists the .NET processes.", exception);
        }
        catch (Exception exception) when (exception is UnauthorizedAccessException or IOException)
        {
            throw new RecordingException(
                $"The mappings of process {process} cannot be read ({_folder}/smaps): it belongs to another user, or has privileges that "
                + "this user has not. Run tarn as that user or as root.", exception);
        }
    }

    /// <summary>The lines of <c>status</c> by their names. Sizes are bytes.</summary>
    public IReadOnlyDictionary<string, long> ReadStatus()
    {
        Dictionary<string, long> values = [];
        foreach (string line in TryRead("status").Split('\n'))
        {
            string[] fields = line.Split((char[])[':', ' ', '\t'], StringSplitOptions.RemoveEmptyEntries);
            if (fields.Length >= 2 && long.TryParse(fields[1], NumberStyles.None, CultureInfo.InvariantCulture, out long number))
            {
                values[fields[0]] = fields is [_, _, "kB"] ? number * Kilobyte : number;
            }
        }

        return values;
    }

    /// <summary>How many threads have a name that begins so.</summary>
    public int CountThreads(string name)
    {
        try
        {
            return Directory.EnumerateDirectories($"{_folder}/task")
                .Count(thread => TryRead($"task/{Path.GetFileName(thread)}/comm").StartsWith(name, StringComparison.Ordinal));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }

    /// <summary>Opens the memory of the process for reading; null where that is not permitted.</summary>
    public SafeFileHandle? TryOpenMemory()
    {
        try
        {
            return File.OpenHandle($"{_folder}/mem");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private string TryRead(string file)
    {
        try
        {
            return File.ReadAllText($"{_folder}/{file}");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}

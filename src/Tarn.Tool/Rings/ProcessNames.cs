using System.ComponentModel;
using System.Diagnostics;
using Tarn.SharedMemory;

namespace Tarn.Tool.Rings;

/// <summary>The names of the programs that processes run, each looked up once.</summary>
internal sealed class ProcessNames
{
    private readonly Dictionary<ProcessIdentity, string?> _names = [];

    /// <summary>The name of the program; null if there is no such process here, or it hides.</summary>
    /// <remarks>The start time tells the process from one of the same number in another container.</remarks>
    public string? NameOf(ProcessIdentity process)
    {
        if (!_names.TryGetValue(process, out string? name))
        {
            _names[process] = name = process.Id > 0 && process.IsAlive ? Find(process.Id) : null;
        }

        return name;
    }

    private static string? Find(int id)
    {
        try
        {
            // The runtime's host is named alike for all programs; its first assembly is the program.
            string[] words = File.Exists($"/proc/{id}/cmdline") ? File.ReadAllText($"/proc/{id}/cmdline").Split('\0') : [];
            if (Path.GetFileName(words.FirstOrDefault()) == "dotnet"
                && words.FirstOrDefault(word => word.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)) is { } assembly)
            {
                return Path.GetFileNameWithoutExtension(assembly);
            }

            using var process = Process.GetProcessById(id);
            return process.ProcessName;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or InvalidOperationException
            or Win32Exception)
        {
            return null;
        }
    }
}

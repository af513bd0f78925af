using System.Diagnostics;
using System.Text;

namespace Tarn.Analyzers.Field;

/// <summary>A git directory, read through the command git.</summary>
internal sealed class Git(string directory)
{
    /// <summary>The full hash of a revision; null if the directory does not have it.</summary>
    internal string? Resolve(string revision) =>
        Directory.Exists(directory) && TryRun(["rev-parse", "--verify", "--quiet", revision + "^{commit}"], out string output)
            ? output.Trim()
            : null;

    internal void Fetch(string address, string commit)
    {
        Directory.CreateDirectory(directory);
        string[][] steps =
            [["init", "--quiet", "--bare"], ["fetch", "--quiet", "--depth", "2", address, commit]];
        foreach (string[] step in steps)
        {
            if (!TryRun(step, out string output))
            {
                throw new InvalidOperationException($"git {string.Join(' ', step)} failed: {output}");
            }
        }
    }

    /// <summary>Writes the files of a commit that have one of some extensions under a folder. Files that git lacks are left out.</summary>
    internal void Extract(string commit, string folder, params string[] extensions)
    {
        TryRun(["ls-tree", "-r", "-z", commit], out string listing);
        using Process process = Start(["cat-file", "--batch"]);
        using BinaryReader reader = new(process.StandardOutput.BaseStream);
        foreach (string line in listing.Split('\0', StringSplitOptions.RemoveEmptyEntries))
        {
            // Mode, kind and hash, then the path behind a tab.
            string[] parts = line.Split('\t', 2);
            string[] facts = parts[0].Split(' ');
            if (facts[1] != "blob" || facts[0] == "120000" || !extensions.Contains(Path.GetExtension(parts[1])))
            {
                continue;
            }

            process.StandardInput.WriteLine(facts[2]);
            process.StandardInput.Flush();
            if (ReadBlob(reader) is { } contents)
            {
                string path = Path.Combine(folder, parts[1]);
                Directory.CreateDirectory(Path.GetDirectoryName(path)!);
                File.WriteAllBytes(path, contents);
            }
        }

        process.StandardInput.Close();
        process.WaitForExit();
    }

    /// <summary>Hash, kind and length in a line, the contents, a line end; or a line that says that the blob is missing.</summary>
    private static byte[]? ReadBlob(BinaryReader reader)
    {
        StringBuilder header = new();
        for (char next = (char)reader.ReadByte(); next != '\n'; next = (char)reader.ReadByte())
        {
            header.Append(next);
        }

        string[] facts = header.ToString().Split(' ');
        if (facts.Length < 3)
        {
            return null;
        }

        byte[] contents = reader.ReadBytes(int.Parse(facts[2], System.Globalization.CultureInfo.InvariantCulture));
        _ = reader.ReadByte();
        return contents;
    }

    private bool TryRun(string[] arguments, out string output)
    {
        using Process process = Start(arguments);
        process.StandardInput.Close();
        output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0;
    }

    private Process Start(string[] arguments)
    {
        ProcessStartInfo start = new("git", [$"--git-dir={directory}", .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        // A mirror may be incomplete: what it lacks is left out, not asked for.
        start.Environment["GIT_NO_LAZY_FETCH"] = "1";
        start.Environment["GIT_TERMINAL_PROMPT"] = "0";
        return Process.Start(start) ?? throw new InvalidOperationException("git does not start.");
    }
}

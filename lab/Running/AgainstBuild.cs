using System.Diagnostics;
using System.IO.Compression;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Running;

/// <summary>
/// Builds the lab with the library of another commit beside this one's, and runs that build. The other commit's sources come from the
/// repository; nothing in the working tree changes.
/// </summary>
internal static class AgainstBuild
{
    private const string Experiments = "against";
    private const string Library = "src/Tarn";

    /// <summary>Returns the exit code of the run.</summary>
    /// <exception cref="InvalidDataException">There is no such commit, or the build failed.</exception>
    public static int Run(string commit, LabOptions options)
    {
        string root = BuiltProgram.FindRepository();
        string id = Start(root, "git", ["rev-parse", "--verify", "--quiet", commit + "^{commit}"], out string found) == 0
            ? found.Trim()
            : throw new InvalidDataException($"--against {commit}: this repository has no such commit.");
        return Run($"--against {commit}", $"that of {id[..12]}", root, Extract(root, id), options);
    }

    /// <summary>As <see cref="Run(string, LabOptions)"/>, with this library but for one mechanism in place of another commit's.</summary>
    /// <exception cref="InvalidDataException">There is no such mechanism, or the build failed.</exception>
    public static int RunWithout(string name, LabOptions options)
    {
        var ablation = Ablation.Find(name);
        string root = BuiltProgram.FindRepository();
        string from = Path.Combine(root, "artifacts", "without", name);
        if (Directory.Exists(from))
        {
            Directory.Delete(from, recursive: true);
        }

        string source = Path.Combine(root, Library);
        foreach (string file in Directory.EnumerateFiles(source, "*.cs", SearchOption.AllDirectories))
        {
            string relative = Path.GetRelativePath(source, file);
            if (relative.Split(Path.DirectorySeparatorChar)[0] is not ("bin" or "obj"))
            {
                string copy = Path.Combine(from, Library, relative);
                Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
                File.Copy(file, copy);
            }
        }

        ablation.Apply(Path.Combine(from, Library));
        return Run($"--without {name}", $"one without {ablation.Takes}", root, from, options);
    }

    private static int Run(string option, string other, string root, string from, LabOptions options)
    {
        string[] build =
        [
            "build", Path.Combine(root, "lab"), "-c", "Release", "-v", "quiet", "-nologo", $"-p:AgainstFrom={Escaped(from)}",
        ];
        Console.WriteLine($"Building this library and {other}.");
        if (Start(root, "dotnet", build, out string output) != 0)
        {
            throw new InvalidDataException($"{option}: the build failed.{Environment.NewLine}{output}");
        }

        string program = Path.Combine(root, "lab", "bin", "Release-against", "net10.0", "tarn-lab.dll");
        using var run = Process.Start(new ProcessStartInfo("dotnet", ArgumentsOf(program, options)))!;
        run.WaitForExit();
        return run.ExitCode;
    }

    /// <summary>A path as the value of a property on a command line, where commas and semicolons separate values.</summary>
    internal static string Escaped(string path) => path
        .Replace("%", "%25", StringComparison.Ordinal).Replace(";", "%3B", StringComparison.Ordinal)
        .Replace(",", "%2C", StringComparison.Ordinal);

    internal static IEnumerable<string> ArgumentsOf(string program, LabOptions options) =>
    [
        program,
        "--only",
        options.Only.Count > 0 ? string.Join(',', options.Only) : Experiments,
        "--out",
        options.OutputDirectory,
        "--seed",
        options.Seed.ToString(System.Globalization.CultureInfo.InvariantCulture),
        .. options.Full ? ["--full"] : Array.Empty<string>(),
    ];

    /// <summary>Writes the library of a commit into a folder that build output belongs in. A folder that exists is that commit's.</summary>
    private static string Extract(string root, string id)
    {
        string folder = Path.Combine(root, "artifacts", "against", id);
        if (Directory.Exists(folder))
        {
            return folder;
        }

        string archive = folder + ".zip";
        string unfinished = folder + ".unfinished";
        Directory.CreateDirectory(Path.GetDirectoryName(folder)!);
        if (Start(root, "git", ["archive", "--format=zip", "-o", archive, id, Library], out string output) != 0)
        {
            throw new InvalidDataException($"--against {id}: git wrote no archive of {Library}.{Environment.NewLine}{output}");
        }

        if (Directory.Exists(unfinished))
        {
            Directory.Delete(unfinished, recursive: true);
        }

        ZipFile.ExtractToDirectory(archive, unfinished);
        Directory.Move(unfinished, folder);
        File.Delete(archive);
        return folder;
    }

    private static int Start(string folder, string program, IEnumerable<string> arguments, out string output)
    {
        using var process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        output = process.StandardOutput.ReadToEnd() + errors.GetAwaiter().GetResult();
        process.WaitForExit();
        return process.ExitCode;
    }
}

using System.Diagnostics;
using System.Globalization;
using System.Text;
using Tarn.Sanitizing;

namespace Tarn.Traces;

/// <summary>
/// What a process runs, as its command line tells it: before the first instruction, when the runtime itself knows no arguments yet.
/// </summary>
/// <param name="Text">The whole line.</param>
/// <param name="Program">
/// The path of the program's assembly, and its arguments, as <see cref="Environment.GetCommandLineArgs"/> has them.
/// </param>
/// <param name="IsSdk">Whether it is the SDK's own: see <see cref="UserProcesses"/>.</param>
internal sealed record ProgramLine(string Text, string Program, bool IsSdk)
{
    private const string Muxer = "dotnet";

    /// <summary>The options of the host that stand before a program. Each has a value.</summary>
    private static readonly HashSet<string> s_hostOptions = new(StringComparer.OrdinalIgnoreCase)
    {
        "--depsfile", "--runtimeconfig", "--fx-version", "--roll-forward", "--roll-forward-on-no-candidate-fx", "--additionalprobingpath",
        "--additional-deps",
    };

    /// <summary>Whether it is an assembly that <c>dotnet</c> runs. Of other programs, the line does not tell what they are.</summary>
    internal bool IsManaged { get; private init; }

    /// <summary>Whether <c>--process</c> asks for it.</summary>
    internal bool Matches(string? part) => UserProcesses.Matches(part, Text, Program);

    /// <summary>Reads the line of a process of this system.</summary>
    /// <param name="process">The process.</param>
    /// <param name="told">What its runtime tells, for systems that do not tell it themselves.</param>
    internal static ProgramLine Read(int process, Func<string> told)
    {
        string files = string.Create(CultureInfo.InvariantCulture, $"/proc/{process}");
        if (TryReadBytes($"{files}/cmdline") is { Length: > 0 } line)
        {
            // A zero ends each word. The last one may be empty.
            string[] words = Encoding.UTF8.GetString(line[^1] == 0 ? line.AsSpan()[..^1] : line).Split('\0');
            return Parse(TargetOf($"{files}/exe") ?? words[0], words.AsSpan(1), TargetOf($"{files}/cwd") ?? "");
        }

        bool asks = Path.DirectorySeparatorChar == '/' && !Directory.Exists("/proc/self");
        string[] split = SplitLine(asks ? AskSystem(process) : told());
        return split.Length > 0 ? Parse(split[0], split.AsSpan(1), "") : new ProgramLine("", "", IsSdk: false);
    }

    /// <param name="executable">The path of the executable.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="folder">The folder that it was started in.</param>
    internal static ProgramLine Parse(string executable, ReadOnlySpan<string> arguments, string folder)
    {
        string text = Join(executable, arguments);
        string program = executable;
        bool isManaged = false;
        if (Path.GetFileNameWithoutExtension(executable).Equals(Muxer, StringComparison.OrdinalIgnoreCase))
        {
            int at = arguments is ["exec", ..] ? 1 : 0;
            while (at < arguments.Length && s_hostOptions.Contains(arguments[at]))
            {
                at += 2;
            }

            if (at >= arguments.Length || !IsAssembly(arguments[at]))
            {
                // A command: dotnet looks for the newest SDK and runs that.
                return new ProgramLine(text, text, IsSdk: true) { IsManaged = true };
            }

            program = Path.Combine(folder, arguments[at]);
            arguments = arguments[(at + 1)..];
            isManaged = true;
        }
        else if (AssemblyOf(executable) is { } assembly && File.Exists(assembly))
        {
            program = assembly;
            isManaged = true;
        }

        bool isSdk = UserProcesses.IsSdk(Path.GetDirectoryName(program) + Path.DirectorySeparatorChar);
        return new ProgramLine(text, Join(program, arguments), isSdk) { IsManaged = isManaged };
    }

    /// <summary>The words of a line. Quotation marks hold one together.</summary>
    internal static string[] SplitLine(string line)
    {
        List<string> words = [];
        StringBuilder word = new();
        bool isQuoted = false;
        foreach (char one in line.Append(' '))
        {
            if (one == '"')
            {
                isQuoted = !isQuoted;
            }
            else if (isQuoted || !char.IsWhiteSpace(one))
            {
                word.Append(one);
            }
            else if (word.Length > 0)
            {
                words.Add(word.ToString());
                word.Clear();
            }
        }

        return [.. words];
    }

    private static string AssemblyOf(string host) =>
        Path.DirectorySeparatorChar == '\\' ? Path.ChangeExtension(host, "dll") : $"{host}.dll";

    private static bool IsAssembly(string path) => Path.GetExtension(path) is { } extension
        && (extension.Equals(".dll", StringComparison.OrdinalIgnoreCase) || extension.Equals(".exe", StringComparison.OrdinalIgnoreCase));

    private static string Join(string program, ReadOnlySpan<string> arguments) => string.Join(' ', [program, .. arguments]);

    private static byte[]? TryReadBytes(string path)
    {
        try
        {
            return File.Exists(path) ? File.ReadAllBytes(path) : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // It has ended, or the system hides it from this user.
            return null;
        }
    }

    private static string? TargetOf(string link)
    {
        try
        {
            return new FileInfo(link).LinkTarget;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static string AskSystem(int process)
    {
        using Process ps = Process.Start(new ProcessStartInfo("ps", ["-ww", "-o", "command=", "-p", $"{process}"])
        {
            RedirectStandardOutput = true,
        })!;
        return ps.StandardOutput.ReadToEnd();
    }
}

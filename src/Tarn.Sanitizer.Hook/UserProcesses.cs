using System;
using System.IO;

namespace Tarn.Sanitizing;

/// <summary>
/// Which processes of a program are its user's. The one rule of all commands: the startup hook asks it inside of a process, and what
/// records or looks on asks it about others.
/// </summary>
internal static class UserProcesses
{
    /// <summary>
    /// Whether a program's folder is a version of the SDK, as in <c>/usr/share/dotnet/sdk/10.0.100/Roslyn/bincore/</c>: MSBuild,
    /// compilers, <c>dotnet</c> itself, the runner that starts test hosts. They are left alone, and start as fast as ever.
    /// </summary>
    public static bool IsSdk(string folder)
    {
        string name = $"{Path.DirectorySeparatorChar}sdk{Path.DirectorySeparatorChar}";
        string muxer = Path.DirectorySeparatorChar == '\\' ? "dotnet.exe" : "dotnet";
        for (int at = folder.IndexOf(name, StringComparison.Ordinal); at >= 0; at = folder.IndexOf(name, at + 1, StringComparison.Ordinal))
        {
            int version = at + name.Length;
            if (version < folder.Length
                && folder[version] is >= '0' and <= '9'
                && File.Exists(Path.Combine(folder.Substring(0, at), muxer)))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether <c>--process</c> asks for a process.</summary>
    /// <param name="part">What the user wrote; null if all are asked for.</param>
    /// <param name="line">The command line as the system has it, with what a host takes out, such as <c>--depsfile</c>.</param>
    /// <param name="program">The path of the program's assembly and its arguments, as the program has them.</param>
    public static bool Matches(string? part, string line, string program) => part is null
#pragma warning disable CA2249 // the oldest .NET that the hook runs on has no Contains with a comparison
        || line.IndexOf(part, StringComparison.Ordinal) >= 0 || program.IndexOf(part, StringComparison.Ordinal) >= 0;
#pragma warning restore CA2249
}

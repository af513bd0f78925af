namespace Tarn.Sanitizing.Launching;

/// <summary>Tells the processes of the .NET SDK from those of users: it is left alone, and is not slower.</summary>
internal static class SdkProcess
{
    /// <summary>
    /// Whether a program's folder is a version of the SDK, as in <c>/usr/share/dotnet/sdk/10.0.100/Roslyn/bincore/</c>: MSBuild, compilers,
    /// the runner that starts test hosts.
    /// </summary>
    public static bool IsOne(string folder)
    {
        string name = $"{Path.DirectorySeparatorChar}sdk{Path.DirectorySeparatorChar}";
        for (int at = folder.IndexOf(name, StringComparison.Ordinal); at >= 0; at = folder.IndexOf(name, at + 1, StringComparison.Ordinal))
        {
            int version = at + name.Length;
            if (version < folder.Length && char.IsAsciiDigit(folder[version]) && File.Exists(Path.Combine(folder[..at], PrivateCopies.Muxer)))
            {
                return true;
            }
        }

        return false;
    }
}

namespace Tarn.Sanitizing.Checking;

/// <summary>Names the place that a stack shows, so that another run of the program can be told to look at it alone.</summary>
internal static class PlaceName
{
    /// <summary>Stands between a method and its caller.</summary>
    internal const string Between = " < ";

    /// <summary>
    /// Assemblies with one of these names, or with one of them before a dot, are the platform's: the framework and test runners.
    /// </summary>
    private static readonly string[] s_platform =
    [
        "System", "mscorlib", "netstandard", "Microsoft.AspNetCore", "Microsoft.Extensions", "Microsoft.Win32", "Microsoft.CSharp",
        "Microsoft.VisualStudio", "Microsoft.TestPlatform", "Microsoft.Testing", "testhost", "MSTest", "MSTestAdapter", "xunit", "nunit",
        "NUnit3", "TUnit",
    ];

    /// <summary>Returns the innermost method and, if it is the platform's, the innermost that is not.</summary>
    internal static string Of(ReadOnlySpan<RecordedFrame> frames)
    {
        if (frames.Length == 0)
        {
            return "";
        }

        foreach (RecordedFrame frame in frames)
        {
            if (!IsPlatform(frame.Assembly))
            {
                return frame == frames[0] ? frame.Method : $"{frames[0].Method}{Between}{frame.Method}";
            }
        }

        return frames[0].Method;
    }

    internal static bool IsPlatform(string assembly) => Array.Exists(
        s_platform,
        name => assembly.StartsWith(name, StringComparison.Ordinal) && (assembly.Length == name.Length || assembly[name.Length] == '.'));

    /// <summary>A hash that is the same in each process.</summary>
    internal static uint Hash(string place)
    {
        uint hash = 2166136261;
        foreach (char letter in place)
        {
            hash = (hash ^ letter) * 16777619;
        }

        // Places that differ little are to be far apart.
        hash ^= hash >> 16;
        hash *= 0x85EBCA6B;
        return hash ^ (hash >> 13);
    }
}

using System.Buffers;

namespace Tarn;

/// <summary>Names of regions: the same ones everywhere, and apart from everybody else's.</summary>
internal static class RegionNames
{
    /// <summary>In front of every name, so that nothing else is listed or deleted.</summary>
    internal const string Prefix = "tarn.";

    /// <summary>Fits, with the prefix and the directory, where the shortest limit is (Windows: 260 characters for a path).</summary>
    internal const int MostCharacters = 128;

    private static readonly SearchValues<char> s_allowed =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.");

    /// <summary>The name of the file.</summary>
    /// <exception cref="ArgumentNullException">The name is null.</exception>
    /// <exception cref="ArgumentException">Some system would not take the name, or take it for another one.</exception>
    internal static string ToFileName(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        if (name.Length is 0 or > MostCharacters)
        {
            throw new ArgumentException($"A name has 1 to {MostCharacters} characters; \"{name}\" has {name.Length}.", nameof(name));
        }

        if (name.AsSpan().IndexOfAnyExcept(s_allowed) is >= 0 and int index)
        {
            throw new ArgumentException(
                $"A name has letters from A to Z, digits, '-', '_' and '.'; \"{name}\" has '{name[index]}' "
                    + $"(U+{(int)name[index]:X4}) at {index}.",
                nameof(name));
        }

        if (name[^1] == '.')
        {
            throw new ArgumentException($"A name does not end in '.', which Windows takes away; \"{name}\" does.", nameof(name));
        }

        return Prefix + name;
    }
}

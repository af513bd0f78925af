using System.Buffers;

namespace Tarn.SharedMemory;

/// <summary>Names of regions: the same on every system, and distinct from other programs' files.</summary>
internal static class RegionNames
{
    /// <summary>The prefix of every file name, so that no other file is listed or deleted.</summary>
    internal const string Prefix = "tarn.";

    /// <summary>
    /// The longest name. With the prefix and the directory, it fits the shortest limit of any system (Windows: 260 characters for a path).
    /// </summary>
    internal const int MostCharacters = 128;

    private static readonly SearchValues<char> s_allowed =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.");

    /// <summary>Returns the file name for a region's name.</summary>
    /// <exception cref="ArgumentNullException">The name is null.</exception>
    /// <exception cref="ArgumentException">Some system would refuse the name, or confuse it with another one.</exception>
    internal static string ToFileName(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        if (name.Length is 0 or > MostCharacters)
        {
            throw new ArgumentException($"The name \"{name}\" has {name.Length} characters: use 1 to {MostCharacters}.", nameof(name));
        }

        if (name.AsSpan().IndexOfAnyExcept(s_allowed) is >= 0 and int index)
        {
            throw new ArgumentException(
                $"A name may contain letters from A to Z, digits, '-', '_' and '.'; \"{name}\" has '{name[index]}' "
                    + $"(U+{(int)name[index]:X4}) at {index}.",
                nameof(name));
        }

        if (name[^1] == '.')
        {
            throw new ArgumentException($"The name \"{name}\" ends in '.', which Windows removes: end it otherwise.", nameof(name));
        }

        return Prefix + name;
    }
}

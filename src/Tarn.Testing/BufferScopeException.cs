using System.Globalization;
using System.Text;

namespace Tarn.Testing;

/// <summary>Says that buffers or streams of a <see cref="BufferScope"/> were not returned, and where they were rented.</summary>
public sealed class BufferScopeException : Exception
{
    /// <summary>The most buffers whose stacks a message has.</summary>
    private const int MostShown = 10;

    /// <summary>Creates the exception with a message that names the buffers.</summary>
    internal BufferScopeException(IReadOnlyList<UnreturnedBuffer> unreturned)
        : base(Describe(unreturned)) => Unreturned = unreturned;

    /// <summary>What was not returned, in the order of the rents.</summary>
    public IReadOnlyList<UnreturnedBuffer> Unreturned { get; }

    private static string Describe(IReadOnlyList<UnreturnedBuffer> unreturned)
    {
        StringBuilder text = new();
        string subject = unreturned.Count == 1
            ? "A buffer was"
            : string.Create(CultureInfo.InvariantCulture, $"{unreturned.Count} buffers were");
        text.Append(subject).AppendLine(" rented in this scope and not returned:");
        IGrouping<string, UnreturnedBuffer>[] places = [.. unreturned.GroupBy(static buffer => buffer.ToString())];
        foreach (IGrouping<string, UnreturnedBuffer> place in places.Take(MostShown))
        {
            text.AppendLine();
            text.Append(place.Count() == 1 ? "" : string.Create(CultureInfo.InvariantCulture, $"{place.Count()} times: "));
            text.AppendLine(place.Key);
        }

        if (places.Length > MostShown)
        {
            text.AppendLine();
            text.AppendLine(CultureInfo.InvariantCulture, $"… and those of {places.Length - MostShown} more places");
        }

        return text.ToString().TrimEnd();
    }
}

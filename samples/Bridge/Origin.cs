using System.Text.Json;

namespace Samples;

/// <summary>Which ring's messages a destination receives. It changes only when one of the two rings is created anew.</summary>
/// <param name="Source">The id of the source ring.</param>
/// <param name="Destination">The id of the destination ring.</param>
/// <param name="Offset">A message's position in the destination minus its position in the source.</param>
internal sealed record Origin(Guid Source, Guid Destination, long Offset)
{
    internal static Origin Load(string file) =>
        File.Exists(file) ? JsonSerializer.Deserialize<Origin>(File.ReadAllText(file))! : new Origin(Guid.Empty, Guid.Empty, 0);

    /// <summary>Replaces the file in one step, so a process that is killed leaves the old one or the new one.</summary>
    internal void Save(string file)
    {
        File.WriteAllText(file + ".new", JsonSerializer.Serialize(this));
        File.Move(file + ".new", file, overwrite: true);
    }
}

using System.Collections.ObjectModel;
using Tarn.Tool.Memory.Figures;

namespace Tarn.Tool.Memory;

/// <summary>What advice depends on beside the sizes of a snapshot.</summary>
/// <param name="Variables">The variables of the process.</param>
/// <param name="Heaps">The heaps of <c>malloc</c>; null if they are not known.</param>
/// <param name="Allocator">The allocator in place of the C library's; null if none is known.</param>
/// <param name="ServerThreads">The threads of the server's collector.</param>
/// <param name="ForeignLibraries">The native libraries that are neither the platform's nor the runtime's.</param>
internal sealed record ProcessTraits(
    IReadOnlyDictionary<string, string> Variables,
    MallocHeaps? Heaps,
    string? Allocator,
    int ServerThreads,
    IReadOnlyList<string> ForeignLibraries)
{
    /// <summary>Nothing is known.</summary>
    public static ProcessTraits None { get; } = new(ReadOnlyDictionary<string, string>.Empty, null, null, 0, []);

    /// <summary>Whether a setting of the runtime is in the variables.</summary>
    public bool HasSetting(string name) => Variables.ContainsKey($"DOTNET_{name}") || Variables.ContainsKey($"COMPlus_{name}");
}

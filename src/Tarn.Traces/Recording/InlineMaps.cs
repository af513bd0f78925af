using System.Buffers.Binary;
using System.Diagnostics.Tracing;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Tracing;

namespace Tarn.Traces;

/// <summary>
/// The maps of the inlined calls of a process's methods. The runtime tells them if it was started with a variable, and when it compiles a
/// method, so they are known of processes that were recorded from their start.
/// </summary>
internal sealed class InlineMaps
{
    /// <summary>The variable of a process whose compiler is to keep these maps, for its value 1.</summary>
    internal const string Variable = "DOTNET_RichDebugInfo";

    private const int Map = 189;
    private const long MapKeyword = 0x40000;
    private const long CompilationKeyword = 0x10;

    // The number of the runtime in the process, the method, the number of its compilation, that of its code, the chunk, its length.
    private const int MethodAt = sizeof(ushort);
    private const int CompilationAt = MethodAt + sizeof(long);
    private const int ChunkAt = CompilationAt + 2 * sizeof(long);
    private const int LengthAt = ChunkAt + sizeof(uint);
    private const int DataAt = LengthAt + sizeof(uint);
    private const uint LastChunk = 0x8000_0000;

    private static readonly Guid s_source = new("763fd754-7086-4dfe-95eb-c01a46faf4ca");

    private readonly Dictionary<(long Method, long Compilation), List<byte>> _chunks = [];
    private readonly Dictionary<(long Method, long Compilation), InlineMap> _maps = [];

    /// <summary>The event source that sends the maps, and the one without which it does not: the runtime's, for compilations.</summary>
    internal static IEnumerable<EventPipeProvider> Providers { get; } =
    [
        new("Microsoft-Windows-DotNETRuntimePrivate", EventLevel.Informational, MapKeyword),
        new("Microsoft-Windows-DotNETRuntime", EventLevel.Verbose, CompilationKeyword),
    ];

    /// <summary>The map of one compilation of a method; null if it is unknown.</summary>
    internal InlineMap? Find(long method, long compilation) => _maps.GetValueOrDefault((method, compilation));

    /// <summary>Takes the map from an event, if that is one. A map may come in several events.</summary>
    internal void Take(TraceEvent one)
    {
        if ((int)one.ID != Map || one.ProviderGuid != s_source)
        {
            return;
        }

        ReadOnlySpan<byte> bytes = one.EventData();
        if (bytes.Length < DataAt)
        {
            return;
        }

        (long Method, long Compilation) key =
            (BinaryPrimitives.ReadInt64LittleEndian(bytes[MethodAt..]), BinaryPrimitives.ReadInt64LittleEndian(bytes[CompilationAt..]));
        uint chunk = BinaryPrimitives.ReadUInt32LittleEndian(bytes[ChunkAt..]);
        int length = (int)Math.Min(BinaryPrimitives.ReadUInt32LittleEndian(bytes[LengthAt..]), (uint)(bytes.Length - DataAt));
        if ((chunk & ~LastChunk) == 0)
        {
            _chunks[key] = [];
        }

        if (!_chunks.TryGetValue(key, out List<byte>? all))
        {
            return;
        }

        all.AddRange(bytes.Slice(DataAt, length));
        if ((chunk & LastChunk) != 0)
        {
            _ = _chunks.Remove(key);
            if (InlineMap.Parse(all.ToArray()) is { } map)
            {
                _maps[key] = map;
            }
        }
    }
}

using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace Tarn.Testing;

/// <summary>Finds the source lines of frames whose stack was captured without them, which is a tenth of the work.</summary>
internal static class SourceLines
{
    private static readonly ConcurrentDictionary<Assembly, MetadataReaderProvider?> s_symbols = new();

    /// <summary>The file and line of a frame, to append to its method; empty where no symbols are.</summary>
    internal static string Find(StackFrame frame)
    {
        if (frame.GetMethod() is not { DeclaringType.Assembly: { IsDynamic: false } assembly } method
            || frame.GetILOffset() == StackFrame.OFFSET_UNKNOWN
            || s_symbols.GetOrAdd(assembly, Open) is not { } symbols)
        {
            return "";
        }

        try
        {
            return Find(symbols.GetMetadataReader(), method, frame.GetILOffset());
        }
        catch (BadImageFormatException)
        {
            // The report is worth more than a line.
            return "";
        }
    }

    private static string Find(MetadataReader reader, MethodBase method, int offset)
    {
        MethodDefinitionHandle definition = (MethodDefinitionHandle)MetadataTokens.Handle(method.MetadataToken);
        SequencePoint? last = null;
        foreach (SequencePoint point in reader.GetMethodDebugInformation(definition).GetSequencePoints())
        {
            if (point.Offset > offset)
            {
                break;
            }

            last = point.IsHidden ? last : point;
        }

        return last is { } found
            ? string.Create(
                CultureInfo.InvariantCulture, $" in {reader.GetString(reader.GetDocument(found.Document).Name)}:{found.StartLine}")
            : "";
    }

    private static MetadataReaderProvider? Open(Assembly assembly)
    {
        // Without a file, as in a single-file program, there are no symbols to find.
        string path = assembly.Location;
        if (path.Length == 0)
        {
            return null;
        }

        try
        {
            using PEReader image = new(File.OpenRead(path));
            _ = image.TryOpenAssociatedPortablePdb(path, OpenFile, out MetadataReaderProvider? provider, out _);
            return provider;
        }
        catch (Exception exception) when (exception is IOException or BadImageFormatException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static MemoryStream? OpenFile(string path) => File.Exists(path) ? new MemoryStream(File.ReadAllBytes(path)) : null;
}

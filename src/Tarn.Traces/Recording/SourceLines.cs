using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace Tarn.Traces;

/// <summary>
/// Finds source lines in the symbols that lie beside an assembly or in it. It asks no server. Assemblies without symbols have no lines.
/// </summary>
internal sealed class SourceLines : IDisposable
{
    private const int RowBits = 0xFFFFFF;

    private readonly Dictionary<string, MetadataReaderProvider?> _symbols = [];

    /// <summary>Returns the line of a call.</summary>
    /// <param name="module">The path of the assembly.</param>
    /// <param name="methodToken">The method in it.</param>
    /// <param name="offset">The place in the method's code; negative if unknown.</param>
    /// <returns>The file and the line, from 1; an empty file if they are unknown.</returns>
    internal (string File, int Line) Find(string module, int methodToken, int offset)
    {
        if (offset < 0 || (methodToken & RowBits) == 0)
        {
            return ("", 0);
        }

        try
        {
            if (Open(module)?.GetMetadataReader() is not { } symbols)
            {
                return ("", 0);
            }

            (string File, int Line) found = ("", 0);
            MethodDefinitionHandle method = MetadataTokens.MethodDefinitionHandle(methodToken & RowBits);
            foreach (SequencePoint point in symbols.GetMethodDebugInformation(method).GetSequencePoints())
            {
                if (point.Offset > offset)
                {
                    break;
                }

                if (!point.IsHidden)
                {
                    found = (symbols.GetString(symbols.GetDocument(point.Document).Name), point.StartLine);
                }
            }

            return found;
        }
        catch (BadImageFormatException)
        {
            // Symbols of another build, or damaged ones: the method's name remains.
            return ("", 0);
        }
    }

    public void Dispose()
    {
        foreach (MetadataReaderProvider? symbols in _symbols.Values)
        {
            symbols?.Dispose();
        }
    }

    private MetadataReaderProvider? Open(string module)
    {
        if (!_symbols.TryGetValue(module, out MetadataReaderProvider? symbols))
        {
            _symbols.Add(module, symbols = Read(module));
        }

        return symbols;
    }

    private static MetadataReaderProvider? Read(string module)
    {
        try
        {
            using var assembly = new PEReader(File.OpenRead(module));
            return assembly.TryOpenAssociatedPortablePdb(
                module, path => File.Exists(path) ? File.OpenRead(path) : null, out MetadataReaderProvider? symbols, out _)
                ? symbols
                : null;
        }
        catch (Exception exception)
            when (exception is IOException or UnauthorizedAccessException or BadImageFormatException or ArgumentException
                or InvalidOperationException or NotSupportedException)
        {
            return null;
        }
    }
}

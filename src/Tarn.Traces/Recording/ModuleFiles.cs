using System.Reflection.PortableExecutable;

namespace Tarn.Traces;

/// <summary>The files of assemblies, each of which is opened once. Not thread-safe.</summary>
internal sealed class ModuleFiles : IDisposable
{
    private readonly Dictionary<string, PEReader?> _modules = [];

    /// <summary>Returns the file of an assembly; null if it cannot be read or is none.</summary>
    internal PEReader? Open(string module)
    {
        if (!_modules.TryGetValue(module, out PEReader? file))
        {
            _modules.Add(module, file = Read(module));
        }

        return file;
    }

    public void Dispose()
    {
        foreach (PEReader? module in _modules.Values)
        {
            module?.Dispose();
        }
    }

    private static PEReader? Read(string module)
    {
        try
        {
            PEReader file = new(File.OpenRead(module));
            return file.HasMetadata ? file : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or BadImageFormatException)
        {
            return null;
        }
    }
}

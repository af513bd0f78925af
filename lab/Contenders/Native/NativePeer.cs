using System.Runtime.InteropServices;

namespace Tarn.Lab.Contenders.Native;

/// <summary>
/// An allocator written in C that this system may have. Contenders call its functions through pointers in static readonly fields,
/// which become constants in tier-1 code, and without the switch of GC mode that a P/Invoke makes: they are measured as a C program would
/// call them, without overhead from C#. The libraries are loaded separately (never by LD_PRELOAD), so the runtime's own memory does not use
/// them.
/// </summary>
internal sealed class NativePeer
{
    private readonly Lazy<nint> _library;

    public NativePeer(string name, string package, params string[] files)
    {
        Name = name;
        Package = package;
        Files = files;
        _library = new Lazy<nint>(Load);
    }

    public string Name { get; }

    /// <summary>The Debian package that installs it; empty for a library that every system has.</summary>
    public string Package { get; }

    /// <summary>The library's file names on known systems, the preferred one first.</summary>
    public IReadOnlyList<string> Files { get; }

    public bool IsPresent => _library.Value != 0;

    /// <exception cref="DllNotFoundException">The library is missing; check <see cref="IsPresent"/> first.</exception>
    /// <exception cref="EntryPointNotFoundException">The library lacks the function.</exception>
    public nint Find(string function) =>
        IsPresent ? NativeLibrary.GetExport(_library.Value, function) : throw new DllNotFoundException($"{Name} is not on this system.");

    /// <summary>Whether it is installed but needs more thread-local data than glibc reserved when this process started.</summary>
    public bool LacksThreadStorage() =>
        !IsPresent && Files.Any(file => ReasonNotToLoad(file).Contains("static TLS", StringComparison.Ordinal));

    private static string ReasonNotToLoad(string file)
    {
        try
        {
            NativeLibrary.Load(file);
            return "";
        }
        catch (DllNotFoundException exception)
        {
            return exception.Message;
        }
    }

    private nint Load()
    {
        foreach (string file in Files)
        {
            if (NativeLibrary.TryLoad(file, out nint library))
            {
                return library;
            }
        }

        return 0;
    }
}

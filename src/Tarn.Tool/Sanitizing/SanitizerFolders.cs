using Tarn.Sanitizing.Platform;

namespace Tarn.Tool.Sanitizing;

/// <summary>Where private frameworks are kept, and where the processes of one run report to.</summary>
internal sealed class SanitizerFolders : IDisposable
{
    private readonly string? _temporary;

    public SanitizerFolders()
    {
        Reports = Directory.CreateTempSubdirectory("tarn-sanitize-").FullName;
        Cache = Environment.GetEnvironmentVariable(Tarn.Sanitizing.SanitizerSettings.RootVariable) is { Length: > 0 } asked
            ? Path.GetFullPath(asked)
            : HostSystem.CacheFolder is { } cache ? Path.Combine(cache, "tarn", "sanitize")
            : (_temporary = Directory.CreateTempSubdirectory("tarn-frameworks-").FullName);
        try
        {
            _ = Directory.CreateDirectory(Cache);
        }
        catch (Exception exception) when (_temporary is null && exception is IOException or UnauthorizedAccessException)
        {
            // A home that is read-only, as in containers.
            Cache = _temporary = Directory.CreateTempSubdirectory("tarn-frameworks-").FullName;
        }
    }

    /// <summary>The folder of private frameworks. It outlives this, unless no folder of the user's could be written.</summary>
    public string Cache { get; }

    /// <summary>The folder for reports, which goes with this.</summary>
    public string Reports { get; }

    public void Dispose()
    {
        foreach (string folder in new[] { Reports, _temporary }.OfType<string>())
        {
            try
            {
                Directory.Delete(folder, recursive: true);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // A process that the program left running still writes there.
            }
        }
    }
}

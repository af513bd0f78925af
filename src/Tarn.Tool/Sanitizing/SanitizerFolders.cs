using Tarn.Sanitizing.Platform;

namespace Tarn.Tool.Sanitizing;

/// <summary>Where private frameworks are kept, and where the processes of one run report to.</summary>
internal sealed class SanitizerFolders : IDisposable
{
    private readonly string? _temporary;

    public SanitizerFolders()
    {
        Reports = CreateTemporary("tarn-sanitize-");
        Cache = Environment.GetEnvironmentVariable(Tarn.Sanitizing.SanitizerSettings.RootVariable) is { Length: > 0 } asked
            ? Path.GetFullPath(asked)
            : HostSystem.CacheFolder is { } cache ? Path.Combine(cache, "tarn", "sanitize")
            : (_temporary = CreateTemporary("tarn-frameworks-"));
        try
        {
            _ = Directory.CreateDirectory(Cache);
        }
        catch (Exception exception) when (_temporary is null && exception is IOException or UnauthorizedAccessException)
        {
            // A home that is read-only, as in containers.
            Cache = _temporary = CreateTemporary("tarn-frameworks-");
        }
    }

    /// <summary>The folder of private frameworks. It outlives this, unless no folder of the user's could be written.</summary>
    public string Cache { get; }

    /// <summary>The folder for reports, which goes with this.</summary>
    public string Reports { get; }

    private static string CreateTemporary(string prefix)
    {
        try
        {
            return Directory.CreateTempSubdirectory(prefix).FullName;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new InvalidDataException(
                $"No folder can be made in {Path.GetTempPath()}, the folder for temporary files: {exception.Message} "
                + "Set TMPDIR (TMP on Windows) to a folder that exists and that you may write to.",
                exception);
        }
    }

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

using System.Text;

namespace Tarn.Pages;

/// <summary>
/// A file that a command writes when its work is done. It is tried before the work, so that one that cannot be written costs none, and what
/// it cannot take in the end is kept in another file.
/// </summary>
/// <remarks>
/// A trial leaves nothing, and holds nothing open: the work may be a build that removes the folder and makes it anew. Only a pipe stays
/// open, because its reader would else take the trial for the end.
/// </remarks>
internal sealed class OutputFile : IDisposable
{
    private FileStream? _pipe;

    private OutputFile(string path) => Path = path;

    /// <summary>The file that was asked for.</summary>
    public string Path { get; }

    /// <summary>Tries a file that is named before the work.</summary>
    /// <exception cref="InvalidDataException">It cannot be written; the message names it and the reason.</exception>
    public static OutputFile Open(string path)
    {
        var file = new OutputFile(System.IO.Path.GetFullPath(path));
        try
        {
            file.Try();
            return file;
        }
        catch (Exception exception) when (IsRefusal(exception))
        {
            throw new InvalidDataException($"{file.Explain(exception)} Nothing was done.", exception);
        }
    }

    /// <summary>A file whose name is known only after the work.</summary>
    public static OutputFile At(string path) => new(System.IO.Path.GetFullPath(path));

    /// <summary>Writes the contents, here or where they can be kept.</summary>
    /// <exception cref="IOException">They can be written nowhere.</exception>
    public WrittenFile Write(string text) => Write(new UTF8Encoding(encoderShouldEmitUTF8Identifier: false).GetBytes(text));

    /// <inheritdoc cref="Write(string)"/>
    public WrittenFile Write(ReadOnlySpan<byte> contents)
    {
        try
        {
            using FileStream file = _pipe ?? Create(FileMode.OpenOrCreate, FileOptions.None);
            if (file.CanSeek && file.Length > 0)
            {
                file.SetLength(0);
            }

            file.Write(contents);
            return new WrittenFile(Path, null);
        }
        catch (Exception exception) when (IsRefusal(exception))
        {
            string problem = Explain(exception);
            return new WrittenFile(Keep(contents, System.IO.Path.GetFileName(Path), problem), problem);
        }
    }

    /// <summary>Keeps what cannot be written where it should be, in a folder that only this user may enter. Returns the file.</summary>
    /// <param name="contents">What to keep.</param>
    /// <param name="name">The name of the file.</param>
    /// <param name="problem">Why it is not where it should be, as a sentence.</param>
    /// <exception cref="IOException">It can be kept nowhere.</exception>
    public static string Keep(ReadOnlySpan<byte> contents, string name, string problem)
    {
        try
        {
            string kept = System.IO.Path.Combine(Directory.CreateTempSubdirectory("tarn-kept-").FullName, name);
            using var file = new FileStream(kept, FileMode.CreateNew, FileAccess.Write);
            file.Write(contents);
            return kept;
        }
        catch (Exception exception) when (IsRefusal(exception))
        {
            throw new IOException(
                $"{problem} Nor could it be kept in {System.IO.Path.GetTempPath()}: {Sentence(exception)} Its contents are lost.",
                exception);
        }
    }

    /// <summary>What a system says of a failure, which may end without a period.</summary>
    public static string Sentence(Exception exception) => exception.Message.EndsWith('.') ? exception.Message : exception.Message + ".";

    /// <summary>Whether the system refuses to open or to write a file.</summary>
    public static bool IsRefusal(Exception exception) =>
        exception is IOException or UnauthorizedAccessException or NotSupportedException or ArgumentException;

    public void Dispose() => _pipe?.Dispose();

    private void Try()
    {
        try
        {
            Create(FileMode.CreateNew, FileOptions.DeleteOnClose).Dispose();
            return;
        }
        catch (IOException)
        {
            // It exists, and stays as it is; or the reason comes again.
        }

        FileStream file = Create(FileMode.OpenOrCreate, FileOptions.None);
        if (file.CanSeek)
        {
            file.Dispose();
        }
        else
        {
            _pipe = file;
        }
    }

    /// <summary>Unbuffered: what a buffer could not write, it would try to write again where the file is closed.</summary>
    private FileStream Create(FileMode mode, FileOptions options) =>
        new(Path, mode, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0, options);

    private string Explain(Exception exception)
    {
        string reason = Directory.Exists(Path) ? "it is a folder."
            : System.IO.Path.GetDirectoryName(Path) is { Length: > 0 } folder && !Directory.Exists(folder) ? $"there is no folder {folder}."
            : Sentence(exception);
        return $"{Path} cannot be written: {reason}";
    }
}

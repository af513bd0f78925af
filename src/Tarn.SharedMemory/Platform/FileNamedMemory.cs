using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Tarn.SharedMemory;

/// <summary>macOS and Windows: ordinary files in the directory for temporary files, using only the base library.</summary>
/// <remarks>
/// <para>The systems' own named memory cannot be listed, limits names to 31 characters (macOS), or disappears with the last process that
/// has it open (Windows). The system may write such files to the disk when it is idle; the processes share memory all the same.</para>
/// <para>A file first has a temporary name that contains the process, and is moved to its final name if that is free. If a process is
/// killed in between, the next process that creates a file removes the leftover.</para>
/// </remarks>
/// <param name="directory">The directory that holds the names.</param>
internal sealed class FileNamedMemory(string directory) : NamedMemory(directory)
{
    /// <inheritdoc/>
    internal override NamedFile? TryCreate(
        string name, long size, UnixFileMode mode, bool preferHugePages, Func<SafeFileHandle, byte[]> describe)
    {
        string temporary = CreateTemporaryName();
        string path = PathOf(temporary);
        SafeBuffer? memory = null;
        bool isNamed = false;
        try
        {
            RemoveLeftovers();
            using (FileStream stream = new(path, OptionsFor(size)))
            {
                stream.SetLength(size);
                memory = Map(stream.SafeFileHandle, size);
                RandomAccess.Write(stream.SafeFileHandle, describe(stream.SafeFileHandle), 0);
                if (!OperatingSystem.IsWindows())
                {
                    File.SetUnixFileMode(stream.SafeFileHandle, mode);
                }
            }

            isNamed = TryMove(temporary, name);
            return isNamed ? new NamedFile(memory, File: null) : null;
        }
        catch (Exception e) when (e is IOException or ArgumentOutOfRangeException)
        {
            // Windows calls a size out of range if its file system has no files of that size.
            throw new IOException($"{PathOf(name)} cannot have {size} bytes: {e.Message}", e);
        }
        catch (UnauthorizedAccessException e)
        {
            throw new UnauthorizedAccessException($"{PathOf(name)} cannot be created: {e.Message}", e);
        }
        finally
        {
            if (!isNamed)
            {
                memory?.Dispose();
                if (File.Exists(path))
                {
                    File.Delete(path);
                }
            }
        }
    }

    private static FileStreamOptions OptionsFor(long size)
    {
        FileStreamOptions options = new()
        {
            Mode = FileMode.CreateNew,
            Access = FileAccess.ReadWrite,
            Share = FileShare.ReadWrite | FileShare.Delete,
            PreallocationSize = size,
            BufferSize = 0,
        };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        return options;
    }
}

using System;
using System.Buffers;
using System.IO;

/// <summary>Methods that say by their result whether they hand out a buffer.</summary>
internal sealed class TriedByResult
{
    private enum Status
    {
        Done,
        Failed,
    }

    internal static int Never(Stream source, int length)
    {
        if (!AlwaysMakes(length, out byte[] buffer))
        {
            return 0;
        }

        int read = source.Read(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(buffer);
        return read;
    }

    internal static int NeverByVariable(Stream source, int length)
    {
        bool isMade = AlwaysMakes(length, out byte[] buffer);
        if (isMade)
        {
            int read = source.Read(buffer, 0, length);
            ArrayPool<byte>.Shared.Return(buffer);
            return read;
        }

        return 0;
    }

    internal static int NeverUnlessWanted(Stream source, int length, bool isWanted)
    {
        if (isWanted && AlwaysMakes(length, out byte[] buffer))
        {
            int read = source.Read(buffer, 0, length);
            ArrayPool<byte>.Shared.Return(buffer);
            return read;
        }

        return 0;
    }

    internal static int OneStatus(Stream source, int length)
    {
        if (AlwaysDone(length, out byte[] buffer) != Status.Done)
        {
            return 0;
        }

        int read = source.Read(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(buffer);
        return read;
    }

    internal static int NeverOfOwner(Stream source, int length)
    {
        if (!AlwaysOwns(length, out IMemoryOwner<byte> owner))
        {
            return 0;
        }

        int read = source.Read(owner.Memory.Span);
        owner.Dispose();
        return read;
    }

    internal static int NeverButLost(Stream source, int length)
    {
        if (!AlwaysMakes(length, out byte[] buffer)) // expect TARN011
        {
            return 0;
        }

        return source.Read(buffer, 0, length);
    }

    internal static int EmptyIfNot(Stream source, int length)
    {
        if (!MakesOrEmpty(length, out byte[] buffer))
        {
            return 0;
        }

        int read = source.Read(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(buffer);
        return read;
    }

    internal static int EmptyIfNotAndLost(Stream source, int length)
    {
        if (!MakesOrEmpty(length, out byte[] buffer)) // expect TARN011
        {
            return 0;
        }

        int read = source.Read(buffer, 0, length);
        if (read == 0)
        {
            return -1;
        }

        ArrayPool<byte>.Shared.Return(buffer);
        return read;
    }

    internal static int NullIfNotAndLost(Stream source, int length)
    {
        bool isMade = MakesOrNull(length, out byte[]? buffer); // expect TARN011
        if (!isMade)
        {
            return 0;
        }

        int read = source.Read(buffer!, 0, length);
        if (read == 0)
        {
            return -1;
        }

        ArrayPool<byte>.Shared.Return(buffer!);
        return read;
    }

    internal static int ByStatus(Stream source, int length)
    {
        Status status = MakesByStatus(length, out byte[]? buffer);
        if (status == Status.Failed)
        {
            return 0;
        }

        int read = source.Read(buffer!, 0, length);
        ArrayPool<byte>.Shared.Return(buffer!);
        return read;
    }

    internal static int ByStatusAndLost(Stream source, int length)
    {
        switch (MakesByStatus(length, out byte[]? buffer)) // expect TARN011
        {
            case Status.Done:
                return source.Read(buffer!, 0, length);
            default:
                return 0;
        }
    }

    internal static int ThroughAnother(Stream source, int length)
    {
        if (!MakesThrough(length, out byte[]? buffer)) // expect TARN011
        {
            return 0;
        }

        if (source.Read(buffer!, 0, length) == 0)
        {
            return -1;
        }

        ArrayPool<byte>.Shared.Return(buffer!);
        return 1;
    }

    internal static int LockedAndReturned(Stream source, int length)
    {
        if (!MakesLocked(length, out byte[]? buffer))
        {
            return 0;
        }

        int read = source.Read(buffer!, 0, length);
        ArrayPool<byte>.Shared.Return(buffer!);
        return read;
    }

    internal static int AskedForNull(Stream source, int length)
    {
        MakesOrNull(length, out byte[]? buffer);
        if (buffer is null)
        {
            return 0;
        }

        int read = source.Read(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(buffer);
        return read;
    }

    private static bool AlwaysMakes(int length, out byte[] buffer)
    {
        buffer = ArrayPool<byte>.Shared.Rent(length);
        return true;
    }

    private static Status AlwaysDone(int length, out byte[] buffer)
    {
        buffer = ArrayPool<byte>.Shared.Rent(length);
        return Status.Done;
    }

    private static bool AlwaysOwns(int length, out IMemoryOwner<byte> owner)
    {
        owner = MemoryPool<byte>.Shared.Rent(length);
        return true;
    }

    private static bool MakesOrEmpty(int length, out byte[] buffer)
    {
        if (length < 0)
        {
            buffer = [];
            return false;
        }

        buffer = ArrayPool<byte>.Shared.Rent(length);
        return true;
    }

    private static bool MakesOrNull(int length, out byte[]? buffer)
    {
        bool isMade = false;
        buffer = null;
        if (length > 0)
        {
            buffer = ArrayPool<byte>.Shared.Rent(length);
            isMade = true;
        }

        return isMade;
    }

    private static Status MakesByStatus(int length, out byte[]? buffer)
    {
        buffer = length < 0 ? null : ArrayPool<byte>.Shared.Rent(length);
        if (buffer is null)
        {
            return Status.Failed;
        }

        return Status.Done;
    }

    private static bool MakesThrough(int length, out byte[]? buffer) => MakesOrNull(length * 2, out buffer);

    private static readonly object s_lock = new();

    private static bool MakesLocked(int length, out byte[]? buffer)
    {
        lock (s_lock)
        {
            if (length < 0)
            {
                buffer = null;
                return false;
            }

            buffer = ArrayPool<byte>.Shared.Rent(length);
            return true;
        }
    }
}

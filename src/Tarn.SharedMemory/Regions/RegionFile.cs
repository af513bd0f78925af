using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Tarn.SharedMemory;

/// <summary>Examines the file of a region that another process may have created.</summary>
internal static class RegionFile
{
    /// <summary>Describes why a file is not a valid region; null if it is, and <paramref name="header"/> can then be trusted.</summary>
    internal static string? Examine(SafeFileHandle file, out RegionHeader header)
    {
        header = default;
        long length;
        try
        {
            length = RandomAccess.GetLength(file);
            RandomAccess.Read(file, MemoryMarshal.AsBytes(new Span<RegionHeader>(ref header)), 0);
        }
        catch (Exception e) when (e is NotSupportedException or IOException)
        {
            return "it is not a file";
        }

        if (header.Magic != RegionHeader.ExpectedMagic)
        {
            return $"it is not a region of Tarn: {length} bytes that begin with 0x{header.Magic:x16}, not "
                + $"0x{RegionHeader.ExpectedMagic:x16}";
        }

        if (header.Version != RegionHeader.ExpectedVersion)
        {
            return $"it is of version {header.Version}, and this library supports version {RegionHeader.ExpectedVersion}";
        }

        if (header.Size <= 0 || header.Size > long.MaxValue - RegionHeader.Length)
        {
            return $"its header is damaged: it states a size of {header.Size} bytes";
        }

        return length == RegionHeader.Length + header.Size
            ? null
            : $"it is truncated or damaged: its file has {length} bytes, and its header requires {RegionHeader.Length + header.Size}";
    }

    /// <summary>Whether a file is a region.</summary>
    internal static bool IsRegion(SafeFileHandle file, out RegionHeader header) => Examine(file, out header) is null;

    /// <summary>Whether the creator of a region still runs.</summary>
    internal static HolderState StateOfOwner(SafeFileHandle file, in RegionHeader header)
    {
        bool isLocal = header.OwnerNamespace == ProcessIdentity.Namespace;
        if (!header.IsOfThisKernel(FileStatus.Of(file)))
        {
            return HolderState.Unknown;
        }

        if (isLocal && header.Owner == ProcessIdentity.Self)
        {
            return HolderState.Running;
        }

        if (header.HasSeats != 0 && FileSeats.Of(file) is { } seats)
        {
            if (seats.IsTaken(RegionSeat.Creator))
            {
                return HolderState.Running;
            }

            if (header.OwnerLetGo == 0)
            {
                return HolderState.Gone;
            }
        }

        return header.Owner.StateIn(isLocal);
    }

    /// <summary>Whether the name leads to that region, and its creator has not ended, as far as anyone knows.</summary>
    internal static bool HasOwner(string name, Guid id)
    {
        try
        {
            using SafeFileHandle? file = NamedMemory.Current.TryOpen(RegionNames.ToFileName(name));
            return file is not null && IsRegion(file, out RegionHeader header) && header.Id == id
                && StateOfOwner(file, header) != HolderState.Gone;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return true;
        }
    }

    /// <summary>Whether a process runs, by its id.</summary>
    /// <param name="process">The process.</param>
    /// <param name="isLocal">Whether the id is valid in this process's namespace.</param>
    internal static HolderState StateIn(this ProcessIdentity process, bool isLocal) =>
        !isLocal ? HolderState.Unknown : process.IsAlive ? HolderState.Running : HolderState.Gone;

    /// <summary>What messages call the contents of a kind.</summary>
    internal static string Noun(RegionKind kind) => kind switch
    {
        RegionKind.Ring => "ring",
        RegionKind.Queue => "queue",
        RegionKind.Value => "value",
        RegionKind.Topic => "topic",
        _ => "shared region",
    };

    internal static string Describe(RegionKind kind) => kind switch
    {
        RegionKind.Plain => "a plain region",
        RegionKind.Ring => "a ring",
        RegionKind.Queue => "a queue",
        RegionKind.Value => "a value",
        RegionKind.Topic => "a topic",
        _ => $"something of an unknown kind ({(uint)kind})",
    };

    /// <summary>Describes a region, or what is in it, for messages.</summary>
    internal static string Describe(RegionKind kind, long size, int longest) =>
        $"a {(kind is RegionKind.Plain ? "region" : Noun(kind))} of {SizeOf(kind, size, longest)}";

    /// <summary>The size of a region, or of what is in it, as messages give it.</summary>
    internal static string SizeOf(RegionKind kind, long size, int longest) => kind switch
    {
        RegionKind.Ring when RingHeader.CapacityOf(size) is { } capacity => $"{capacity} bytes of messages",
        RegionKind.Queue when QueueHeader.CapacityOf(size, longest) is { } capacity => $"{capacity} messages of up to {longest} bytes",
        RegionKind.Topic when TopicHeader.CapacityOf(size, longest) is { } capacity => $"{capacity} messages of up to {longest} bytes",
        RegionKind.Value => $"{longest} bytes",
        _ => $"{size} bytes",
    };
}

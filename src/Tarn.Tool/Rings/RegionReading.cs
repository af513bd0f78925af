using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using Tarn.SharedMemory;

namespace Tarn.Tool.Rings;

/// <summary>The open file of a region that is read: it is never mapped, so no process can end this one by shortening it.</summary>
/// <remarks>Nothing is written, and no role is taken, so the processes that use the region notice nothing.</remarks>
internal sealed class RegionReading
{
    private readonly SafeFileHandle _file;
    private readonly RegionHeader _header;
    private readonly FileSeats? _seats;
    private readonly bool _isOfThisKernel;
    private readonly ProcessNames _processes;

    /// <param name="file">The file, which stays open meanwhile.</param>
    /// <param name="header">Its header, examined.</param>
    /// <param name="processes">The names of processes.</param>
    public RegionReading(SafeFileHandle file, in RegionHeader header, ProcessNames processes)
    {
        _file = file;
        _header = header;
        _processes = processes;
        _seats = header.HasSeats != 0 ? FileSeats.Of(file) : null;
        _isOfThisKernel = header.IsOfThisKernel(FileStatus.Of(file));
    }

    /// <summary>The user's bytes, or those of the contents.</summary>
    public long Size => _header.Size;

    /// <summary>The length of a queue's longest message, or of a value.</summary>
    public int Longest => _header.Longest;

    /// <summary>Reads the beginning of the contents as a structure.</summary>
    /// <exception cref="InvalidDataException">The file has become too short.</exception>
    public T Read<T>()
        where T : unmanaged
    {
        T value = default;
        if (Read(0, MemoryMarshal.AsBytes(new Span<T>(ref value))) < Unsafe.SizeOf<T>())
        {
            throw new InvalidDataException("another process has shortened its file");
        }

        return value;
    }

    /// <summary>Reads bytes of the contents; returns how many there are.</summary>
    public int Read(long offset, Span<byte> bytes) => RandomAccess.Read(_file, bytes, RegionHeader.Length + offset);

    /// <summary>Describes the process that created the region.</summary>
    public RegionSide Creator()
    {
        SideState state = RegionFile.StateOfOwner(_file, _header) switch
        {
            HolderState.Running => SideState.Running,
            HolderState.Gone => _header.OwnerLetGo != 0 ? SideState.Left : SideState.Ended,
            _ => SideState.Unknown,
        };
        return Side("creator", state, _header.Owner);
    }

    /// <summary>Describes the process in a role.</summary>
    /// <param name="role">What the role is.</param>
    /// <param name="word">The word of the role.</param>
    /// <param name="seat">Its seat.</param>
    /// <param name="namespaceOfAll">The namespace of all ids in a region without seats.</param>
    /// <param name="hasManyKernels">Not 0 if processes under several kernels use the region.</param>
    public RegionSide Side(string role, ulong word, int seat, uint namespaceOfAll, uint hasManyKernels)
    {
        RoleHolder holder = new(word);
        return Side(role, StateOf(holder, seat, namespaceOfAll, hasManyKernels), holder.Process);
    }

    private SideState StateOf(RoleHolder holder, int seat, uint namespaceOfAll, uint hasManyKernels)
    {
        if (_seats?.IsTaken(seat) == true)
        {
            return SideState.Running;
        }

        if (holder.IsNobody)
        {
            return SideState.Nobody;
        }

        if (holder.HasLeft)
        {
            return SideState.Left;
        }

        if (hasManyKernels != 0 || !_isOfThisKernel || (_header.HasSeats != 0 && _seats is null))
        {
            return SideState.Unknown;
        }

        return _seats is not null ? SideState.Ended : holder.Process.StateIn(namespaceOfAll == ProcessIdentity.Namespace) switch
        {
            HolderState.Running => SideState.Running,
            HolderState.Gone => SideState.Ended,
            _ => SideState.Unknown,
        };
    }

    private RegionSide Side(string role, SideState state, ProcessIdentity process) =>
        new(role, state, process.Id, state == SideState.Running ? _processes.NameOf(process) : null);
}

using System.Runtime.InteropServices;

namespace Tarn.SharedMemory;

/// <summary>The beginning of every shared region; the user's bytes follow at <see cref="Length"/>.</summary>
/// <remarks>
/// <para>The header is written once, before the region has a name, all but <see cref="OwnerLetGo"/>. Another process may still have
/// overwritten it with anything, so it is read once, into a copy, and the copy is examined.</para>
/// <para>Layouts of other versions differ only after <see cref="Version"/>. Numbers have the processor's byte order: little-endian on all
/// processors that .NET supports except one, which never shares memory with the others.</para>
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = 88)]
internal struct RegionHeader
{
    /// <summary>The bytes before the user's bytes: an OS page on most systems, so that the user's bytes are aligned for any type.</summary>
    internal const int Length = 4096;

    /// <summary>"TARNSHM" and a zero.</summary>
    internal const ulong ExpectedMagic = 0x004D48534E524154;

    internal const uint ExpectedVersion = 2;

    /// <summary>The members of a queue or a topic. They fit in a slot's word, in a word of bits, and in the seats of a file.</summary>
    internal const int MostMembers = 60;

    [FieldOffset(0)]
    internal ulong Magic;

    [FieldOffset(8)]
    internal uint Version;

    [FieldOffset(12)]
    internal RegionKind Kind;

    /// <summary>The number of the user's bytes, exactly as requested.</summary>
    [FieldOffset(16)]
    internal long Size;

    /// <summary>The process that created the region. If processes have seats, its seat says whether it runs.</summary>
    [FieldOffset(24)]
    internal ProcessIdentity Owner;

    /// <summary>The namespace in which the owner's process id is valid.</summary>
    [FieldOffset(32)]
    internal uint OwnerNamespace;

    /// <summary>1 if every process that holds something in the region has a seat in its file; 0 if none has.</summary>
    [FieldOffset(36)]
    internal uint HasSeats;

    /// <summary>The region's identity, different from any other region's.</summary>
    [FieldOffset(40)]
    internal Guid Id;

    /// <summary>
    /// The file's device and number on it, as the owner's kernel calls them; 0 on Windows. Under another kernel (a virtual machine, a
    /// sandbox) they differ, and neither seats nor process ids mean anything.
    /// </summary>
    [FieldOffset(56)]
    internal ulong Device;

    [FieldOffset(64)]
    internal ulong Index;

    /// <summary>1 when the owner left its seat though it may still run: the region was to outlive it.</summary>
    [FieldOffset(OwnerLetGoOffset)]
    internal uint OwnerLetGo;

    internal const int OwnerLetGoOffset = 72;

    /// <summary>The length of a queue's longest message, or of a value, in bytes; 0 for other kinds.</summary>
    [FieldOffset(76)]
    internal int Longest;

    /// <summary>
    /// 1 if the region is to outlive its creator. Earlier versions of the library wrote 0 always, and so may other clients.
    /// </summary>
    [FieldOffset(80)]
    internal uint IsKept;

    /// <summary>What kind of number a value is, so that none is read as another; 0 where nobody said so.</summary>
    [FieldOffset(84)]
    internal NumberKind Number;

    /// <summary>Whether the region is to outlive its creator, as it says, or as its creator said when it let go of it.</summary>
    internal readonly bool IsPersistent => IsKept != 0 || OwnerLetGo != 0;

    internal static RegionHeader Create(RegionKind kind, long size, int longest, NumberKind number, bool isKept) => new()
    {
        Longest = longest,
        Number = number,
        IsKept = isKept ? 1u : 0,
        Magic = ExpectedMagic,
        Version = ExpectedVersion,
        Kind = kind,
        Size = size,
        Owner = ProcessIdentity.Self,
        OwnerNamespace = ProcessIdentity.Namespace,
        Id = Guid.NewGuid(),
    };

    /// <summary>Notes which file this is the header of.</summary>
    internal void SetFile(FileStatus file, bool hasSeats)
    {
        HasSeats = hasSeats ? 1u : 0;
        (Device, Index) = (file.Device, file.Index);
    }

    /// <summary>Whether this process's kernel is the owner's, so that seats can be seen, and ids of one namespace are of one.</summary>
    internal readonly bool IsOfThisKernel(FileStatus file) => (file.Device, file.Index) == (Device, Index);
}

using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>The beginning of every shared region; the user's bytes follow at <see cref="Length"/>.</summary>
/// <remarks>
/// <para>Written before the region has a name, and never again. What others wrote there may still be anything: it is read once, into a
/// copy, and the copy is examined.</para>
/// <para>Layouts of other versions differ only behind <see cref="Version"/>. Numbers are little-endian, as on every processor .NET runs on
/// but one, which shares memory with none of the others.</para>
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = 64)]
internal struct RegionHeader
{
    /// <summary>Bytes before the user's: an OS page of most systems, so that what follows is aligned for anything.</summary>
    internal const int Length = 4096;

    /// <summary>"TARNSHM" and a zero.</summary>
    internal const ulong ExpectedMagic = 0x004D48534E524154;

    internal const uint ExpectedVersion = 1;

    [FieldOffset(0)]
    internal ulong Magic;

    [FieldOffset(8)]
    internal uint Version;

    [FieldOffset(12)]
    internal RegionKind Kind;

    /// <summary>The user's bytes: exactly as many as asked for.</summary>
    [FieldOffset(16)]
    internal long Size;

    /// <summary>The process that made it.</summary>
    [FieldOffset(24)]
    internal ProcessIdentity Owner;

    /// <summary>Where the owner's process id is valid.</summary>
    [FieldOffset(32)]
    internal uint OwnerNamespace;

    /// <summary>Not any other region's, of this name or another.</summary>
    [FieldOffset(40)]
    internal Guid Id;

    /// <summary>Whether the owner still runs, as far as this process can know.</summary>
    internal readonly bool OwnerIsAlive => OwnerNamespace != ProcessIdentity.Namespace || Owner.IsAlive;

    internal static RegionHeader Create(RegionKind kind, long size) => new()
    {
        Magic = ExpectedMagic,
        Version = ExpectedVersion,
        Kind = kind,
        Size = size,
        Owner = ProcessIdentity.Self,
        OwnerNamespace = ProcessIdentity.Namespace,
        Id = Guid.NewGuid(),
    };
}

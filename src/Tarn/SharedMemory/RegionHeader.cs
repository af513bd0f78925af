using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>The beginning of every shared region; the user's bytes follow at <see cref="Length"/>.</summary>
/// <remarks>
/// <para>The header is written once, before the region has a name. Another process may still have overwritten it with anything, so it is
/// read once, into a copy, and the copy is examined.</para>
/// <para>Layouts of other versions differ only after <see cref="Version"/>. Numbers have the processor's byte order: little-endian on all
/// processors that .NET supports except one, which never shares memory with the others.</para>
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = 64)]
internal struct RegionHeader
{
    /// <summary>The bytes before the user's bytes: an OS page on most systems, so that the user's bytes are aligned for any type.</summary>
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

    /// <summary>The number of the user's bytes, exactly as requested.</summary>
    [FieldOffset(16)]
    internal long Size;

    /// <summary>The process that created the region.</summary>
    [FieldOffset(24)]
    internal ProcessIdentity Owner;

    /// <summary>The namespace in which the owner's process id is valid.</summary>
    [FieldOffset(32)]
    internal uint OwnerNamespace;

    /// <summary>The region's identity, different from any other region's.</summary>
    [FieldOffset(40)]
    internal Guid Id;

    /// <summary>Whether the owner still runs, as far as this process can determine.</summary>
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

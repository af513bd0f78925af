using System.Runtime.CompilerServices;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Storms;

/// <summary>A block with its owner's mark at both ends: a write by anyone else is detected.</summary>
internal readonly unsafe record struct StampedBlock(nint Address, nuint Size, uint Stamp)
{
    private static uint s_lastStamp;

    internal static StampedBlock Mark(void* block, nuint size)
    {
        uint stamp = Interlocked.Increment(ref s_lastStamp);
        Unsafe.WriteUnaligned(block, stamp);
        Unsafe.WriteUnaligned(Last(block, size), stamp);
        return new StampedBlock((nint)block, size, stamp);
    }

    /// <summary>Verifies both marks and takes them away: now the block may be freed.</summary>
    internal void Verify()
    {
        VerifyMarks();
        Unsafe.WriteUnaligned((void*)Address, uint.MaxValue);
        Unsafe.WriteUnaligned(Last((void*)Address, Size), uint.MaxValue);
    }

    /// <summary>Verifies both marks and leaves them there.</summary>
    internal void VerifyMarks()
    {
        uint first = Unsafe.ReadUnaligned<uint>((void*)Address);
        uint last = Unsafe.ReadUnaligned<uint>(Last((void*)Address, Size));
        if (first != Stamp || last != Stamp)
        {
            throw new FindingException($"The block of {Size} bytes at {Address:x} stamped {Stamp} holds {first} and {last}.");
        }
    }

    /// <summary>Where there is no room for two marks they are one.</summary>
    private static void* Last(void* block, nuint size) => (byte*)block + (size < 2 * sizeof(uint) ? 0 : size - sizeof(uint));
}

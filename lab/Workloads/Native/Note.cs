using System.Runtime.InteropServices;

namespace Tarn.Lab.Workloads.Native;

/// <summary>The contents of the window's foreign blocks: their address and their number, so that a mix-up is found.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct Note
{
    public Note* Self;
    public long Number;

    /// <exception cref="InvalidDataException">The block does not hold what its thread wrote.</exception>
    public static void Verify(Note* note, long expected)
    {
        if (note->Self != note || note->Number != expected)
        {
            throw new InvalidDataException($"Memory was harmed: note {expected} at 0x{(nuint)note:x} says 0x{(nuint)note->Self:x} and "
                + $"{note->Number}.");
        }
    }
}

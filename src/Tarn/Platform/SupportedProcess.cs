namespace Tarn;

/// <summary>
/// Defines the processes in which the parts that call the operating system work: 64-bit processes on Linux, macOS and Windows. The numbers
/// of system calls and the layouts of structures are those of such a process, and a 64-bit word is written in one store.
/// </summary>
internal static class SupportedProcess
{
    /// <summary>Lets tests simulate a 32-bit process on this thread.</summary>
    [ThreadStatic]
    internal static bool Pretends32Bits;

    /// <summary>Throws unless the process has 64 bits.</summary>
    /// <param name="part">The requested part, in the plural.</param>
    /// <exception cref="PlatformNotSupportedException">The process has 32 bits; the message names the part and the way out.</exception>
    internal static void Require64Bits(string part)
    {
        if (Pretends32Bits || !Environment.Is64BitProcess)
        {
            throw new PlatformNotSupportedException(
                $"{part} need a 64-bit process, and this one has 32 bits: build the program for x64 or Arm64 (or AnyCPU without "
                + "Prefer32Bit), or use array pools and streams over arrays, which work in any process.");
        }
    }

    /// <summary>Creates the exception for a system that the library does not support.</summary>
    /// <param name="part">The requested part, in the plural.</param>
    internal static PlatformNotSupportedException UnknownSystem(string part) =>
        new($"{part} need Linux, macOS or Windows, and this is {Environment.OSVersion}: use array pools and streams over arrays, which do "
            + "not ask.");
}

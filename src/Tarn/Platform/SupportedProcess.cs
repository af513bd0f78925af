namespace Tarn;

/// <summary>
/// The one place that says in which processes the parts work that call the operating system: those of 64 bits on Linux, macOS and Windows.
/// Numbers of system calls and layouts of structures are those of such a process, and words of 64 bits are written in one store.
/// </summary>
internal static class SupportedProcess
{
    /// <summary>Tests see on this thread what happens in a process of 32 bits.</summary>
    [ThreadStatic]
    internal static bool Pretends32Bits;

    /// <summary>Throws unless the process has 64 bits.</summary>
    /// <param name="part">What is asked for, in the plural.</param>
    /// <exception cref="PlatformNotSupportedException">The process has 32 bits; the message names the part and the way out.</exception>
    internal static void Require64Bits(string part)
    {
        if (Pretends32Bits || !Environment.Is64BitProcess)
        {
            throw new PlatformNotSupportedException(
                $"{part} need a 64-bit process, and this one has 32 bits: build the program for x64 or Arm64 (or AnyCPU without "
                + "Prefer32Bit), or use array pools and streams over arrays, which do not ask.");
        }
    }

    /// <summary>What to throw on a system that the library has no code for.</summary>
    /// <param name="part">What is asked for, in the plural.</param>
    internal static PlatformNotSupportedException UnknownSystem(string part) =>
        new($"{part} need Linux, macOS or Windows, and this is {Environment.OSVersion}: use array pools and streams over arrays, which do "
            + "not ask.");
}

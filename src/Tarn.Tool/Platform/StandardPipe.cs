using System.Runtime.InteropServices;

namespace Tarn.Tool.Platform;

/// <summary>Whether the reader of the standard output has left: .NET writes on into such a pipe, and does not tell.</summary>
internal static partial class StandardPipe
{
    private const int StandardOutput = 1;

    /// <summary>An error, a hang-up, or no such descriptor. The system tells these unasked.</summary>
    private const short Gone = 0x8 | 0x10 | 0x20;

    /// <summary>False where that cannot be told.</summary>
    public static bool IsBroken()
    {
        if (Path.DirectorySeparatorChar == '\\')
        {
            return false;
        }

        var output = new Polled { Descriptor = StandardOutput };
        return Poll(ref output, 1, timeout: 0) > 0 && (output.Found & Gone) != 0;
    }

    [LibraryImport("libc", EntryPoint = "poll")]
    private static partial int Poll(ref Polled descriptors, nuint count, int timeout);

    [StructLayout(LayoutKind.Sequential)]
    private struct Polled
    {
        public int Descriptor;
        public short Asked;
        public short Found;
    }
}

using System.Runtime.InteropServices;

namespace Tarn.Lab.Workloads.Copies;

/// <summary>Memory to copy from and to, on pages of the usual size or, where Linux has them, on pages of 2 MiB.</summary>
internal sealed unsafe partial class CopyMemory : IDisposable
{
    private const nuint HugePage = 2 << 20;
    private const int AdviseHuge = 14;
    private const int AdviseNotHuge = 15;

    private CopyMemory(nuint size, bool isHuge)
    {
        Source = Allocate(size, isHuge);
        Destination = Allocate(size, isHuge);
    }

    public byte* Source { get; private set; }

    public byte* Destination { get; private set; }

    public static CopyMemory Create(int size) => new((nuint)size, isHuge: false);

    /// <summary>Returns memory on pages of 2 MiB; null where the system has no such advice.</summary>
    public static CopyMemory? CreateHuge(int size) => OperatingSystem.IsLinux() ? new((nuint)size, isHuge: true) : null;

    public void Dispose()
    {
        NativeMemory.AlignedFree(Source);
        NativeMemory.AlignedFree(Destination);
        Source = Destination = null;
    }

    private static byte* Allocate(nuint size, bool isHuge)
    {
        byte* memory = (byte*)NativeMemory.AlignedAlloc(size, HugePage);
        if (OperatingSystem.IsLinux())
        {
            // Without support the pages are of the usual size, and the two tables agree.
            _ = Advise(memory, size, isHuge ? AdviseHuge : AdviseNotHuge);
        }

        new Span<byte>(memory, (int)size).Fill(1);
        return memory;
    }

    [LibraryImport("libc", EntryPoint = "madvise")]
    private static partial int Advise(void* address, nuint size, int advice);
}

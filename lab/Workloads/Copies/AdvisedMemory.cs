using System.Runtime.InteropServices;

namespace Tarn.Lab.Workloads.Copies;

/// <summary>Written memory on pages of the usual size or, where Linux has them, on pages of 2 MiB.</summary>
internal sealed unsafe partial class AdvisedMemory : IDisposable
{
    private const nuint HugePage = 2 << 20;
    private const int AdviseHuge = 14;
    private const int AdviseNotHuge = 15;

    public AdvisedMemory(nuint size, bool isHuge)
    {
        Address = (byte*)NativeMemory.AlignedAlloc(size, HugePage);
        if (OperatingSystem.IsLinux())
        {
            // Without support the pages are of the usual size, and the measurements agree.
            _ = Advise(Address, size, isHuge ? AdviseHuge : AdviseNotHuge);
        }

        new Span<byte>(Address, (int)size).Fill(1);
    }

    public byte* Address { get; private set; }

    public void Dispose()
    {
        NativeMemory.AlignedFree(Address);
        Address = null;
    }

    [LibraryImport("libc", EntryPoint = "madvise")]
    private static partial int Advise(void* address, nuint size, int advice);
}

using System.Runtime.InteropServices;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Tests.Measurement;

[Collection(Alone.Name)]
public class PeakMemoryTests
{
    private const int Bytes = 96 << 20;

    [Fact]
    public unsafe void Memory_resident_for_a_moment_counts_and_memory_from_before_the_start_does_not()
    {
        Touch();
        var peak = PeakMemory.Start();
        Touch();
        Assert.InRange(peak.BytesOverStart(), Bytes / 2, long.MaxValue);

        // Other systems cannot reset a peak.
        if (OperatingSystem.IsLinux())
        {
            Assert.InRange(PeakMemory.Start().BytesOverStart(), 0, Bytes / 2);
        }

        static void Touch()
        {
            var block = (byte*)NativeMemory.Alloc(Bytes);
            new Span<byte>(block, Bytes).Fill(1);
            NativeMemory.Free(block);
        }
    }

    [Fact]
    public void The_named_line_of_the_status_is_read()
    {
        Assert.Equal(1_234 * 1_024, PeakMemory.Parse("VmPeak:\t  99 kB\nVmHWM:\t    1234 kB\nVmRSS:\t 5 kB\n", "VmHWM:"));
        Assert.Throws<InvalidDataException>(() => PeakMemory.Parse("VmPeak:\t  99 kB\n", "VmHWM:"));
    }
}

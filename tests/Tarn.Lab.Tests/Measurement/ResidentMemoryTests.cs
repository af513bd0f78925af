using System.Runtime.InteropServices;
using System.Text;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Tests.Measurement;

[Collection(Alone.Name)]
public unsafe class ResidentMemoryTests
{
    [Fact]
    public void The_anonymous_part_is_read_from_the_kernels_summary()
    {
        const string Summary = """
            55843b438000-7ffd73574000 ---p 00000000 00:00 0                          [rollup]
            Rss:                1764 kB
            Pss_Anon:            112 kB
            Anonymous:         12345 kB
            KSM:                   0 kB
            """;

        Assert.Equal(12_345 * 1_024, ResidentMemory.Parse(Encoding.UTF8.GetBytes(Summary)));
    }

    [Theory]
    [InlineData("")]
    [InlineData("\nRss: 12 kB\n")]
    [InlineData("\nAnonymous: much\n")]
    public void A_summary_that_does_not_say_is_not_taken_for_none(string summary)
    {
        Assert.Throws<InvalidDataException>(() => ResidentMemory.Parse(Encoding.UTF8.GetBytes(summary)));
    }

    [Fact]
    public void Memory_counts_from_when_it_is_written()
    {
        const int Bytes = 64 << 20;
        ResidentMemory.Read();
        long before = ResidentMemory.Read();
        void* block = NativeMemory.Alloc(Bytes);
        long allocated = ResidentMemory.Read();
        NativeMemory.Fill(block, Bytes, 1);
        long written = ResidentMemory.Read();
        NativeMemory.Free(block);

        // The runtime allocates and frees at the same time, though nothing as large as this.
        Assert.InRange(allocated - before, -Bytes / 2, Bytes / 2);
        Assert.InRange(written - allocated, Bytes / 2, 2L * Bytes);
    }
}

using Tarn.Lab.Measurement;

namespace Tarn.Lab.Tests.Measurement;

public class SizesTests
{
    [Theory]
    [InlineData("48K", 49_152)]
    [InlineData("2048K", 2_097_152)]
    [InlineData("32M", 33_554_432)]
    [InlineData("4G", 4_294_967_296)]
    [InlineData("512", 512)]
    [InlineData("", 0)]
    [InlineData("K", 0)]
    [InlineData("-1K", 0)]
    [InlineData("1.5M", 0)]
    [InlineData("unknown", 0)]
    public void A_cache_size_is_read_as_bytes_and_as_none_when_it_cannot_be(string text, long bytes)
    {
        Assert.Equal(bytes, MachineReader.ParseSize(text));
    }

    [Theory]
    [InlineData(100, "100 B", "100b")]
    [InlineData(1_023, "1,023 B", "1023b")]
    [InlineData(1_024, "1 KiB", "1kib")]
    [InlineData(1_536, "1,536 B", "1536b")]
    [InlineData(131_072, "128 KiB", "128kib")]
    [InlineData(1_048_576, "1 MiB", "1mib")]
    [InlineData(1_073_741_824, "1 GiB", "1gib")]
    public void A_size_has_a_text_for_people_and_one_for_ids(long bytes, string text, string id)
    {
        Assert.Equal(text, ByteSize.Text(bytes));
        Assert.Equal(id, ByteSize.Id(bytes));
    }
}

using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Experiments.Streams;
using Tarn.Lab.Published;

namespace Tarn.Lab.Tests.Experiments;

public class StreamGrowthTests
{
    [Fact]
    public void Every_setting_of_every_stream_can_be_measured()
    {
        bool[] either = [false, true];
        foreach (string stream in StreamGrowthBenchmark.Streams)
        {
            foreach (bool segmented in either)
            {
                foreach (bool capacity in either)
                {
                    foreach (bool zero in either)
                    {
                        Run(
                            new StreamGrowthBenchmark
                            {
                                Stream = stream,
                                DataSize = 16 << 10,
                                Segmented = segmented,
                                CapacityOnCreate = capacity,
                                ZeroBuffers = zero,
                                GrowEachLoop = true,
                            });
                    }
                }
            }
        }
    }

    [Fact]
    public void The_documents_sizes_and_smaller_ones_are_measured()
    {
        Assert.Equal([256, 1_024, 4_096, 16_384, 131_072, 983_040, 16_777_216, 100_597_760, 209_715_200], StreamGrowthBenchmark.Sizes);
        Assert.Equal(StreamContenders.Names, StreamGrowthBenchmark.Streams);
    }

    [Theory]
    [InlineData(131_072, 6_553)]
    [InlineData(983_040, 49_152)]
    [InlineData(16_777_216, 838_860)]
    [InlineData(100_597_760, 5_029_888)]
    [InlineData(209_715_200, 10_485_760)]
    public void Streams_grow_by_as_much_as_in_the_document(int size, int growth)
    {
        Assert.Equal(growth, DynamicGrowth.GrowthOf(size));
    }

    private static void Run(StreamGrowthBenchmark benchmark)
    {
        benchmark.Setup();
        benchmark.Round();
        benchmark.Cleanup();
    }
}

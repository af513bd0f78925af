namespace Tarn.Tests.NativeHeaps;

public sealed class BlockRoomTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(100_000)]
    [InlineData(1 << 20)]
    [InlineData(16 << 20)]
    [InlineData(1L << 40)]
    public void What_need_not_be_earned_adds_up_to_less_than_the_allowance(long cap)
    {
        long bytes = 0;
        for (int index = 0; index < BlockSizes.SlabClassCount; index++)
        {
            nuint size = BlockSizes.SizeOf(index);
            int blocks = BlockRoom.UnearnedOf(size, cap);
            Assert.InRange(blocks, 0, 2 * BlockRoom.MaxCapacityOf(size));
            bytes += blocks * (long)size;
        }

        Assert.InRange(bytes, 0, Math.Min(BlockRoom.UnearnedBytes - BlockRoom.LentBytes, cap / 128));
    }
}

using Tarn.Lab.Workloads.Arrays;
using Tarn.Tests.Support;

namespace Tarn.Lab.Tests.Measurement;

public class LaneTests
{
    [Fact]
    public void A_buffer_counts_until_it_was_returned()
    {
        var lane = new Lane();
        for (var lap = 0; lap < 3; lap++)
        {
            byte[][] buffers = [.. Enumerable.Range(1, Lane.Capacity).Select(length => new byte[length])];
            Array.ForEach(buffers, lane.Send);
            Assert.Equal((Lane.Capacity, buffers.Sum(buffer => buffer.Length)), (lane.Count, lane.Bytes));
            foreach (var buffer in buffers)
            {
                var before = lane.Count;
                Assert.Same(buffer, lane.Peek());
                Assert.Equal(before, lane.Count);
                lane.NoteReturned();
                Assert.Equal(before - 1, lane.Count);
            }

            Assert.Equal((0, 0), (lane.Count, lane.Bytes));
        }
    }

    [Fact]
    public async Task Two_threads_pass_everything_once_and_in_order()
    {
        int count = StressLength.Times(10_000, 50_000);
        var lane = new Lane();
        var sender = Task.Factory.StartNew(
            () =>
            {
                for (var item = 0; item < count; item++)
                {
                    SpinWait.SpinUntil(() => lane.Count < Lane.Capacity);
                    lane.Send(BitConverter.GetBytes(item));
                }
            },
            TaskCreationOptions.LongRunning);
        for (var item = 0; item < count; item++)
        {
            SpinWait.SpinUntil(() => lane.Count > 0);
            Assert.Equal(item, BitConverter.ToInt32(lane.Peek()));
            lane.NoteReturned();
        }

        await sender;
        Assert.Equal(0, lane.Count);
    }
}

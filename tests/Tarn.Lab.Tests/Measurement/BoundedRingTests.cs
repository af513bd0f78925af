using Tarn.Lab.Measurement;
using Tarn.Tests.Support;

namespace Tarn.Lab.Tests.Measurement;

public class BoundedRingTests
{
    [Theory]
    [InlineData(2)]
    [InlineData(8)]
    [InlineData(256)]
    public async Task Two_threads_pass_everything_once_and_in_order(int capacity)
    {
        // A full ring and an empty one end a thread's turn. On a busy machine the next turn is milliseconds away.
        int count = (Math.Min(capacity, 40) * StressLength.Times(1_000, 5_000)) + 1;
        var ring = new BoundedRing<object>(capacity);
        var producer = Task.Factory.StartNew(
            () =>
            {
                for (var item = 0; item < count; item++)
                {
                    ring.Push(item);
                }
            },
            TaskCreationOptions.LongRunning);
        var consumer = Task.Factory.StartNew(
            () =>
            {
                for (var item = 0; item < count; item++)
                {
                    if (ring.Pop(count - item) is not int popped || popped != item)
                    {
                        return item;
                    }
                }

                return count;
            },
            TaskCreationOptions.LongRunning);

        // Only so that a ring that loses something fails instead of hanging.
        await producer.WaitAsync(TimeSpan.FromMinutes(5));
        Assert.Equal(count, await consumer.WaitAsync(TimeSpan.FromMinutes(5)));
    }

    [Fact]
    public void As_many_as_its_capacity_go_in_before_anyone_takes_one_out()
    {
        var ring = new BoundedRing<string>(4);
        for (var lap = 0; lap < 3; lap++)
        {
            foreach (var item in new[] { "a", "b", "c", "d" })
            {
                ring.Push(item + lap);
            }

            Assert.Equal(["a" + lap, "b" + lap, "c" + lap, "d" + lap], Enumerable.Range(0, 4).Select(taken => ring.Pop(4 - taken)));
        }
    }

    [Theory]
    [InlineData(-4)]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(255)]
    public void A_capacity_that_it_could_not_work_with_is_refused(int capacity)
    {
        Assert.Equal("capacity", Assert.Throws<ArgumentOutOfRangeException>(() => new BoundedRing<object>(capacity)).ParamName);
    }
}

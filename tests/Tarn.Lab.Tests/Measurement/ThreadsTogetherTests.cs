using Tarn.Lab.Measurement;

namespace Tarn.Lab.Tests.Measurement;

public class ThreadsTogetherTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public async Task Each_thread_does_its_work_once(int count)
    {
        int[] done = new int[count];
        ThreadsTogether threads = new(count, processor: 0, member => Interlocked.Increment(ref done[member]));

        await threads.Completion;

        Assert.All(done, static times => Assert.Equal(1, times));
        Assert.InRange(threads.Started, 1, threads.Ended);
    }

    [Fact]
    public async Task The_failure_of_one_is_told_while_others_still_wait()
    {
        using ManualResetEventSlim never = new();
        ThreadsTogether threads = new(2, processor: 0, member =>
        {
            if (member == 0)
            {
                throw new InvalidDataException("no");
            }

            never.Wait();
        });

        var failure = await Assert.ThrowsAsync<InvalidDataException>(() => threads.Completion);

        Assert.Equal("no", failure.Message);
        never.Set();
    }
}

using Tarn.Traces;
using static Tarn.Lab.Tests.Traces.TraceSamples;

namespace Tarn.Lab.Tests.Traces;

public class RentMatcherTests
{
    private const int A = 11;
    private const int B = 22;
    private const int Pool = 77;

    private readonly RentMatcher _matcher = new();

    [Fact]
    public void A_return_finds_its_rent_on_whichever_thread()
    {
        _matcher.Rent(1_000, thread: 501, A, 16, Pool);
        _matcher.Rent(1_001, thread: 502, B, 16, Pool);
        _matcher.Return(1_005, thread: 502, A, 16, Pool);
        _matcher.Return(1_009, thread: 502, B, 16, Pool);

        Assert.Equal([Rent(0), Rent(1, time: 1), Return(0, 1, time: 5), Return(1, 1, time: 9)], _matcher.Events);
        Assert.Equal(0, _matcher.UnmatchedReturns);
    }

    [Fact]
    public void Returns_of_buffers_rented_before_the_recording_are_counted_and_left_out()
    {
        _matcher.Return(1, 501, A, 16, Pool);
        _matcher.Rent(2, 501, A, 16, Pool);
        _matcher.Return(3, 501, A, 16, Pool);
        _matcher.Return(4, 501, A, 16, Pool);

        Assert.Equal([Rent(), Return(0, time: 1)], _matcher.Events);
        Assert.Equal(2, _matcher.UnmatchedReturns);
    }

    [Fact]
    public void Buffers_with_the_same_hash_code_are_distinguished_by_length_and_pool()
    {
        _matcher.Rent(0, 501, A, 16, Pool);
        _matcher.Rent(0, 501, A, 32, Pool);
        _matcher.Rent(0, 501, A, 16, Pool + 1);
        _matcher.Return(0, 501, A, 16, Pool + 1);
        _matcher.Return(0, 501, A, 32, Pool);
        _matcher.Return(0, 501, A, 16, Pool);

        Assert.Equal([Rent(), Rent(length: 32), Rent(pool: 1), Return(2, pool: 1), Return(1, length: 32), Return(0)], _matcher.Events);
    }

    [Fact]
    public void When_the_next_rent_is_reported_before_the_return_the_oldest_rent_is_returned_first()
    {
        _matcher.Rent(0, 501, A, 16, Pool);
        _matcher.Rent(1, 502, A, 16, Pool);
        _matcher.Return(2, 501, A, 16, Pool);
        _matcher.Return(3, 502, A, 16, Pool);

        Assert.Equal([Rent(), Rent(1, time: 1), Return(0, 0, time: 2), Return(1, 1, time: 3)], _matcher.Events);
    }

    [Fact]
    public void Time_that_runs_backwards_stands_still_and_empty_buffers_are_passed_over()
    {
        _matcher.Rent(10, 501, A, 0, Pool);
        _matcher.Rent(10, 501, A, 16, Pool);
        _matcher.Rent(20, 501, B, 16, Pool);
        _matcher.Return(15, 501, B, 16, Pool);

        Assert.Equal([Rent(), Rent(time: 10), Return(1, time: 10)], _matcher.Events);
        _ = new BufferTrace(Origin, _matcher.Events);
    }
}

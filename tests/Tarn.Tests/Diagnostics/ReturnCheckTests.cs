using System.Buffers;
using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics;

public class ReturnCheckTests
{
    [Theory]
    [InlineData(BufferChecks.Returns)]
    [InlineData(BufferChecks.All)]
    [InlineData(BufferChecks.Returns | BufferChecks.SampledLeaks)]
    public void A_second_return_throws_and_names_the_stacks_of_the_rent_and_the_first_return(BufferChecks checks)
    {
        using CheckedPool<byte> tested = new(checks);
        byte[] buffer = RentWithThisMethod(tested.Pool, 100);
        ReturnWithThisMethod(tested.Pool, buffer);

        InvalidOperationException thrown = Assert.Throws<InvalidOperationException>(() => tested.Pool.Return(buffer));

        Assert.Contains(nameof(RentWithThisMethod), thrown.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(ReturnWithThisMethod), thrown.Message, StringComparison.Ordinal);
        Assert.True(
            thrown.Message.IndexOf(nameof(RentWithThisMethod), StringComparison.Ordinal)
            < thrown.Message.IndexOf(nameof(ReturnWithThisMethod), StringComparison.Ordinal),
            thrown.Message);
        BufferIncident incident = tested.Incidents.WaitForOne();
        Assert.Equal((BufferIncidentKind.DoubleReturn, (long)buffer.Length), (incident.Kind, incident.SizeInBytes));
        Assert.Contains(nameof(RentWithThisMethod), incident.RentedAt, StringComparison.Ordinal);
        Assert.Contains(nameof(ReturnWithThisMethod), incident.ReturnedAt, StringComparison.Ordinal);
    }

    [Fact]
    public void A_stack_begins_with_the_method_that_called_the_pool()
    {
        using CheckedPool<byte> tested = new(BufferChecks.Returns);
        byte[] buffer = RentWithThisMethod(tested.Pool, 100);
        ReturnWithThisMethod(tested.Pool, buffer);
        Assert.Throws<InvalidOperationException>(() => tested.Pool.Return(buffer));

        BufferIncident incident = tested.Incidents.WaitForOne();

        Assert.Contains(nameof(RentWithThisMethod), incident.RentedAt!.Split('\n')[0], StringComparison.Ordinal);
        Assert.Contains(nameof(ReturnWithThisMethod), incident.ReturnedAt!.Split('\n')[0], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(BufferChecks.Returns)]
    [InlineData(BufferChecks.UseAfterReturn)]
    [InlineData(BufferChecks.All)]
    public void A_second_return_is_refused_however_much_happened_since_the_first(BufferChecks checks)
    {
        using CheckedPool<int> tested = new(checks);
        int[] early = tested.Pool.Rent(50);
        int[][] others = [.. Enumerable.Range(0, 200).Select(_ => tested.Pool.Rent(50))];
        tested.Pool.Return(early);
        foreach (int[] other in others)
        {
            tested.Pool.Return(other);
        }

        Assert.Throws<InvalidOperationException>(() => tested.Pool.Return(early));
        Assert.Throws<InvalidOperationException>(() => tested.Pool.Return(early, usedLength: 3));
        tested.Pool.Trim();
        Assert.Throws<InvalidOperationException>(() => tested.Pool.Return(early, clearArray: true));
    }

    [Fact]
    public void A_buffer_that_was_rented_again_may_be_returned_again()
    {
        using CheckedPool<int> tested = new(BufferChecks.All);
        for (int i = 0; i < 500; i++)
        {
            tested.Pool.Return(tested.Pool.Rent(50));
        }

        BufferPoolStatistics statistics = tested.Pool.GetStatistics();
        Assert.True(statistics.Allocated < 500, "Some buffer was rented twice, or this proves nothing.");
        Assert.Equal((500, 500, 0), (statistics.Rented, statistics.Returned, statistics.InUseBytes));
        tested.Incidents.AssertNone();
    }

    [Theory]
    [InlineData(BufferChecks.Returns)]
    [InlineData(BufferChecks.All)]
    public void Of_two_threads_that_return_one_buffer_at_once_exactly_one_wins(BufferChecks checks)
    {
        using CheckedPool<byte> tested = new(checks);
        int rounds = StressLength.Times(60, 300);
        for (int round = 0; round < rounds; round++)
        {
            byte[] buffer = RentWithThisMethod(tested.Pool, 100);
            InvalidOperationException? first = null;
            InvalidOperationException? second = null;
            using Barrier together = new(2);
            Thread other = new(() => second = TryReturn(tested.Pool, buffer, together));
            other.Start();
            first = TryReturn(tested.Pool, buffer, together);
            other.Join();

            InvalidOperationException refused = Assert.Single(new[] { first, second }.OfType<InvalidOperationException>());
            Assert.Contains(nameof(RentWithThisMethod), refused.Message, StringComparison.Ordinal);
            Assert.Contains(nameof(TryReturn), refused.Message, StringComparison.Ordinal);
        }

        Eventually.True(() => tested.Incidents.Count == rounds, "each refusal is reported");
        Assert.All(tested.Incidents.All, incident => Assert.Contains(nameof(TryReturn), incident.ReturnedAt, StringComparison.Ordinal));
        Assert.Equal((rounds, rounds), (tested.Pool.GetStatistics().Rented, tested.Pool.GetStatistics().Returned));
    }

    public static TheoryData<string> ForeignArrays =>
        ["right length", "wrong length", "over the limit", "the BCL's pool", "another checked pool"];

    [Theory]
    [MemberData(nameof(ForeignArrays))]
    public void A_foreign_array_is_refused_and_nothing_changes(string kind)
    {
        using CheckedPool<byte> tested = new(BufferChecks.All, new BufferPoolOptions { MaxArrayLength = 1024 });
        using CheckedPool<byte> another = new(BufferChecks.Returns);
        byte[] foreign = kind switch
        {
            "right length" => new byte[112],
            "wrong length" => new byte[113],
            "over the limit" => new byte[5000],
            "the BCL's pool" => ArrayPool<byte>.Shared.Rent(128),
            _ => another.Pool.Rent(112),
        };
        foreign.AsSpan().Fill(7);
        BufferPoolStatistics before = tested.Pool.GetStatistics();

        Assert.Throws<InvalidOperationException>(() => ReturnWithThisMethod(tested.Pool, foreign, clearArray: true));

        Assert.DoesNotContain(foreign, element => element != 7);
        Assert.Equal(before, tested.Pool.GetStatistics());
        BufferIncident incident = tested.Incidents.WaitForOne();
        Assert.Equal((BufferIncidentKind.ForeignReturn, (long)foreign.Length), (incident.Kind, incident.SizeInBytes));
        Assert.Null(incident.RentedAt);
        Assert.Contains(nameof(ReturnWithThisMethod), incident.ReturnedAt, StringComparison.Ordinal);
        if (kind == "another checked pool")
        {
            another.Pool.Return(foreign);
            another.Incidents.AssertNone();
        }
    }

    [Fact]
    public void A_buffer_of_an_unchecked_pool_is_refused_right_after_its_rent_and_still_belongs_to_that_pool()
    {
        using CheckedPool<byte> tested = new(BufferChecks.Returns);
        BufferPool<byte> other = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
        for (int i = 0; i < 5; i++)
        {
            byte[] foreign = other.Rent(100);
            Assert.Throws<InvalidOperationException>(() => tested.Pool.Return(foreign));
            other.Return(foreign);
        }

        Assert.Equal((5, 5, 1), (other.GetStatistics().Rented, other.GetStatistics().Returned, other.GetStatistics().Allocated));
    }

    [Fact]
    public void A_refused_second_return_changes_nothing()
    {
        using CheckedPool<string?> tested = new(BufferChecks.Returns);
        string?[] buffer = tested.Pool.Rent(10);
        tested.Pool.Return(buffer);
        buffer[3] = "kept";
        BufferPoolStatistics before = tested.Pool.GetStatistics();

        Assert.Throws<InvalidOperationException>(() => tested.Pool.Return(buffer, clearArray: true));

        Assert.Equal("kept", buffer[3]);
        Assert.Equal(before, tested.Pool.GetStatistics());
    }

    [Fact]
    public void An_array_of_a_derived_type_is_refused()
    {
        using CheckedPool<object> tested = new(BufferChecks.All);

        Assert.Throws<InvalidOperationException>(() => tested.Pool.Return(new string[16]));
    }

    [Fact]
    public void The_empty_array_may_be_returned_any_number_of_times()
    {
        using CheckedPool<byte> tested = new(BufferChecks.All);
        byte[] empty = tested.Pool.Rent(0);
        tested.Pool.Return(empty);
        tested.Pool.Return(empty);
        tested.Pool.Return([]);
        tested.Incidents.AssertNone();
    }

    [Fact]
    public void A_buffer_over_the_limit_is_checked_as_any_other()
    {
        using CheckedPool<byte> tested = new(BufferChecks.All, new BufferPoolOptions { MaxArrayLength = 1024 });
        byte[] large = tested.Pool.Rent(5000);
        tested.Pool.Return(large);

        Assert.Throws<InvalidOperationException>(() => tested.Pool.Return(large));
        Assert.Equal(1, tested.Pool.GetStatistics().Dropped);
    }

    [Fact]
    public void Leases_and_exact_arrays_of_a_checked_pool_return_once()
    {
        using CheckedPool<byte> tested = new(BufferChecks.All);
        BufferLease<byte> lease = tested.Pool.Lease(100);
        byte[] leased = lease.Segment.Array!;
        lease.Dispose();
        lease.Dispose();
        Assert.Throws<InvalidOperationException>(() => tested.Pool.Return(leased));

        IMemoryOwner<byte> owner = tested.Pool.LeaseMemory(100);
        owner.Dispose();
        owner.Dispose();

        byte[] exact = tested.Pool.RentExact(1001);
        Assert.Equal(1001, exact.Length);
        tested.Pool.Return(exact);
        Assert.Throws<InvalidOperationException>(() => tested.Pool.Return(exact));
        Assert.Equal(tested.Pool.GetStatistics().Rented, tested.Pool.GetStatistics().Returned);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static T[] RentWithThisMethod<T>(BufferPool<T> pool, int length) => pool.Rent(length);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReturnWithThisMethod<T>(BufferPool<T> pool, T[] buffer, bool clearArray = false) => pool.Return(buffer, clearArray);

    private static InvalidOperationException? TryReturn(BufferPool<byte> pool, byte[] buffer, Barrier together)
    {
        together.SignalAndWait();
        try
        {
            pool.Return(buffer);
            return null;
        }
        catch (InvalidOperationException refused)
        {
            return refused;
        }
    }
}

using System.Buffers;
using System.Diagnostics;

namespace Tarn.Testing.Tests;

/// <summary>A scope takes no part in what it observes: what it rents to look, to sort and to write is nobody's.</summary>
public sealed class ObserverTests
{
    /// <summary>The compiler's collections and LINQ rent when they have more than a few elements.</summary>
    [Theory]
    [InlineData(8)]
    [InlineData(9)]
    [InlineData(50)]
    [InlineData(5_000)]
    public void Any_number_of_lost_buffers_is_reported(int lost)
    {
        using BufferScope scope = BufferScope.Start();
        for (int i = 0; i < lost; i++)
        {
            _ = ArrayPool<byte>.Shared.Rent(1_024);
        }

        BufferScopeException exception = Assert.Throws<BufferScopeException>(scope.AssertAllReturned);
        Assert.Equal(lost, scope.RentedCount);
        Assert.Equal(lost, exception.Unreturned.Count);
        Assert.StartsWith($"{lost} buffers were rented in this scope", exception.Message, StringComparison.Ordinal);
    }

    /// <summary>Every member, of every type, within a scope that would count what they rent.</summary>
    [Fact]
    public async Task No_member_rents_for_anybody()
    {
        using BufferScope outer = BufferScope.Start();
        BufferScope inner = BufferScope.Start();
        byte[][] lost = new byte[100][];
        for (int i = 0; i < lost.Length; i++)
        {
            lost[i] = i % 2 == 0 ? ArrayPool<byte>.Shared.Rent(100 << (i % 10)) : BufferPool<byte>.Shared.Rent(100);
        }

        int length = 0;
        for (int i = 0; i < 3; i++)
        {
            foreach (UnreturnedBuffer buffer in inner.GetUnreturned())
            {
                length += buffer.Description.Length + buffer.RentedAt.Length + buffer.ToString().Length + buffer.Length;
                StackTrace stack = buffer.FullStack;
                length += stack.FrameCount;
            }
        }

        BufferScopeException exception = Assert.Throws<BufferScopeException>(inner.AssertAllReturned);
        await Assert.ThrowsAsync<BufferScopeException>(() => inner.AssertAllReturnedAsync(TimeSpan.Zero));
        int rented = inner.RentedCount;
        inner.Dispose();
        Assert.Equal(lost.Length, exception.Unreturned.Count);
        Assert.Equal((lost.Length, lost.Length), (rented, outer.RentedCount));
        for (int i = 0; i < lost.Length; i++)
        {
            (i % 2 == 0 ? ArrayPool<byte>.Shared : BufferPool<byte>.Shared).Return(lost[i]);
        }

        outer.AssertAllReturned();
    }

    [Fact]
    public async Task A_scope_can_be_asked_while_its_tasks_rent_and_return()
    {
        using BufferScope scope = BufferScope.Start();
        Task[] storms = [.. Enumerable.Range(0, 4).Select(static _ => Task.Run(static () =>
        {
            byte[][] taken = new byte[40][];
            for (int round = 0; round < 200; round++)
            {
                for (int i = 0; i < taken.Length; i++)
                {
                    taken[i] = ArrayPool<byte>.Shared.Rent(64 << (i % 12));
                }

                Array.ForEach(taken, static array => ArrayPool<byte>.Shared.Return(array));
            }
        }))];
        while (storms.Any(static storm => !storm.IsCompleted))
        {
            foreach (UnreturnedBuffer buffer in scope.GetUnreturned())
            {
                _ = buffer.ToString();
            }
        }

        await Task.WhenAll(storms);
        scope.AssertAllReturned();
        Assert.Equal(4 * 200 * 40, scope.RentedCount);
    }

    /// <summary>A pool may lend a buffer again before it tells that the first one returned it.</summary>
    [Fact]
    public void A_return_ends_the_older_of_two_rents_of_one_buffer()
    {
        using BufferScope first = BufferScope.Start();
        using BufferScope second = BufferScope.Start();
        RentKey key = new("pools", 1, 2, 1_024, IsStream: false);
        RentTable table = new();
        table.Add(key, RentIn(first, 1));
        table.Add(key, RentIn(second, 2));
        table.Remove(key);

        Assert.Equal(2, Assert.Single(table.FindIn(first)).Order);
        Assert.Equal(2, Assert.Single(table.FindIn(second)).Order);
    }

    [Fact]
    public void A_return_of_another_length_is_of_another_buffer_with_the_hash_code()
    {
        using BufferScope scope = BufferScope.Start();
        RentKey key = new("pools", 1, 2, 1_024, IsStream: false);
        RentTable table = new();
        table.Add(key, RentIn(scope, 1));
        table.Remove(key with { Length = 2_048 });
        Assert.Single(table.FindIn(scope));
        table.Remove(key);
        Assert.Empty(table.FindIn(scope));
    }

    private static Rent RentIn(BufferScope scope, long order) => new(scope, IsStream: false, 1_024, order, new StackTrace());
}

using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn.Testing.Tests;

/// <summary>What a scope follows, and whom it blames. The tests run in parallel with each other and with those of other classes.</summary>
public sealed class BufferScopeTests
{
    private static readonly BufferPool<byte> s_own = BufferPool<byte>.Create(new BufferPoolOptions { Name = "scopes" });

    private static readonly Dictionary<string, (Func<IDisposable> Rent, string Description)> s_kinds = new()
    {
        ["ArrayPool.Shared"] =
            (() => new Rented<byte>(ArrayPool<byte>.Shared, 1_000), "an array of 1024 elements of ArrayPool<T>.Shared"),
        ["ArrayPool.Shared of a class"] =
            (() => new Rented<string>(ArrayPool<string>.Shared, 16), "an array of 16 elements of ArrayPool<T>.Shared"),
        ["ArrayPool.Create"] =
            (() => new Rented<int>(ArrayPool<int>.Create(), 100), "an array of 128 elements of ArrayPool<T>.Create"),
        ["longer than the pool keeps"] =
            (() => new Rented<byte>(ArrayPool<byte>.Create(100, 1), 5_000), "an array of 5000 elements of ArrayPool<T>.Create"),
        ["BufferPool.Shared"] = (() => new Rented<char>(BufferPool<char>.Shared, 16), "an array of 16 elements of BufferPool<T>"),
        ["a lease"] = (() => s_own.LeaseMemory(16), "an array of 16 elements of BufferPool<T>"),
        ["a block"] = (() => NativeHeap.Shared.AllocateBuffer<byte>(64), "a block of 64 bytes of a NativeHeap"),
        ["a block of elements"] = (() => NativeHeap.Shared.AllocateBuffer<int>(16), "a block of 64 bytes of a NativeHeap"),
        ["a stream"] = (() => new PooledMemoryStream(), "a PooledMemoryStream that was not disposed"),
    };

    public static TheoryData<string> Kinds => [.. s_kinds.Keys];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void What_is_returned_passes_and_what_is_not_is_named_with_its_place(string kind)
    {
        (Func<IDisposable> rent, string description) = s_kinds[kind];
        using BufferScope scope = BufferScope.Start();
        using (rent())
        {
            Assert.Single(scope.GetUnreturned());
        }

        scope.AssertAllReturned();
        Assert.Equal(1, scope.RentedCount);

        IDisposable kept = RentHere(rent);
        UnreturnedBuffer buffer = Assert.Single(scope.GetUnreturned());
        Assert.Equal(description, buffer.Description);
        Assert.Contains($"at {typeof(BufferScopeTests).FullName}.{nameof(RentHere)} in ", buffer.RentedAt, StringComparison.Ordinal);
        Assert.Contains($"{nameof(BufferScopeTests)}.cs:", buffer.RentedAt, StringComparison.Ordinal);
        Assert.DoesNotContain("xunit", buffer.RentedAt, StringComparison.OrdinalIgnoreCase);

        BufferScopeException exception = Assert.Throws<BufferScopeException>(scope.AssertAllReturned);
        Assert.StartsWith("A buffer was rented in this scope and not returned:", exception.Message, StringComparison.Ordinal);
        Assert.Contains(buffer.ToString(), exception.Message, StringComparison.Ordinal);
        Assert.Same(Assert.Single(exception.Unreturned).FullStack, buffer.FullStack);

        kept.Dispose();
        scope.AssertAllReturned();
    }

    [Fact]
    public void Many_rents_of_one_place_are_one_paragraph()
    {
        using BufferScope scope = BufferScope.Start();
        byte[][] arrays = [.. Enumerable.Range(0, 3).Select(static _ => ArrayPool<byte>.Shared.Rent(100))];
        byte[] other = ArrayPool<byte>.Shared.Rent(5_000);

        string message = Assert.Throws<BufferScopeException>(scope.AssertAllReturned).Message;
        Assert.StartsWith("4 buffers were rented in this scope and not returned:", message, StringComparison.Ordinal);
        Assert.Contains("3 times: an array of 128 elements", message, StringComparison.Ordinal);
        Assert.Contains("\nan array of 8192 elements", message, StringComparison.Ordinal);
        Array.ForEach(arrays, static array => ArrayPool<byte>.Shared.Return(array));
        ArrayPool<byte>.Shared.Return(other);
        scope.AssertAllReturned();
    }

    /// <summary>A scope follows tasks and threads of its own flow, wherever they return, and nothing of its neighbours.</summary>
    [Fact]
    public async Task Scopes_beside_each_other_follow_their_own_flows()
    {
        byte[] foreign = ArrayPool<byte>.Shared.Rent(100);
        await Task.WhenAll(Enumerable.Range(0, 16).Select(number => Task.Run(async () =>
        {
            using BufferScope scope = BufferScope.Start();
            byte[] first = ArrayPool<byte>.Shared.Rent(100);
            await Task.Yield();
            byte[] second = await Task.Run(static () => ArrayPool<byte>.Shared.Rent(100));
            byte[] third = [];
            Thread thread = new(() => third = ArrayPool<byte>.Shared.Rent(100));
            thread.Start();
            thread.Join();

            Assert.Equal(3, scope.GetUnreturned().Count);
            using (ExecutionContext.SuppressFlow())
            {
                Task.Run(() => ArrayPool<byte>.Shared.Return(first)).Wait();
            }

            ArrayPool<byte>.Shared.Return(second);
            if (number % 2 == 0)
            {
                ArrayPool<byte>.Shared.Return(third);
                scope.AssertAllReturned();
            }
            else
            {
                Assert.Single(scope.GetUnreturned());
                ArrayPool<byte>.Shared.Return(third);
            }
        })));
        ArrayPool<byte>.Shared.Return(foreign);
    }

    [Fact]
    public void A_scope_within_another_is_a_part_of_it()
    {
        using BufferScope outer = BufferScope.Start();
        byte[] before = ArrayPool<byte>.Shared.Rent(100);
        byte[] within;
        using (BufferScope inner = BufferScope.Start())
        {
            within = ArrayPool<byte>.Shared.Rent(100);
            Assert.Single(inner.GetUnreturned());
        }

        Assert.Equal((2, 2), (outer.GetUnreturned().Count, outer.RentedCount));
        byte[] after = ArrayPool<byte>.Shared.Rent(100);
        Assert.Equal(3, outer.GetUnreturned().Count);
        Array.ForEach([before, within, after], static array => ArrayPool<byte>.Shared.Return(array));
        outer.AssertAllReturned();
    }

    [Fact]
    public async Task Work_that_ends_later_can_be_waited_for()
    {
        using BufferScope scope = BufferScope.Start();
        byte[] late = ArrayPool<byte>.Shared.Rent(100);
        await Assert.ThrowsAsync<BufferScopeException>(() => scope.AssertAllReturnedAsync(TimeSpan.Zero));
        await Assert.ThrowsAsync<BufferScopeException>(() => scope.AssertAllReturnedAsync(TimeSpan.FromMilliseconds(5)));
        using CancellationTokenSource source = new();
        Task cancelled = scope.AssertAllReturnedAsync(Timeout.InfiniteTimeSpan, source.Token);
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled);

        Task waiting = scope.AssertAllReturnedAsync(Timeout.InfiniteTimeSpan);
        Assert.False(waiting.IsCompleted);
        ArrayPool<byte>.Shared.Return(late);
        await waiting;
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>("timeout", () => scope.AssertAllReturnedAsync(TimeSpan.FromSeconds(-2)));
    }

    [Fact]
    public void An_ended_scope_says_nothing_and_blames_nobody()
    {
        BufferScope scope = BufferScope.Start();
        byte[] kept = ArrayPool<byte>.Shared.Rent(100);
        Assert.Throws<BufferScopeException>(scope.Dispose);
        scope.Dispose();
        Assert.Throws<ObjectDisposedException>(scope.AssertAllReturned);
        Assert.Throws<ObjectDisposedException>(() => scope.GetUnreturned());
        Assert.Equal(1, scope.RentedCount);

        using BufferScope next = BufferScope.Start();
        ArrayPool<byte>.Shared.Return(kept);
        next.AssertAllReturned();
        Assert.Equal(0, next.RentedCount);
    }

    /// <summary>A task that outlives its scope rents for nobody: its scope's test has ended.</summary>
    [Fact]
    public async Task What_an_outlived_task_rents_is_nobodys()
    {
        TaskCompletionSource ended = new();
        Task late;
        using (BufferScope.Start())
        {
            late = Task.Run(async () =>
            {
                await ended.Task;
                _ = ArrayPool<byte>.Shared.Rent(100);
            });
        }

        using BufferScope next = BufferScope.Start();
        ended.SetResult();
        await late;
        next.AssertAllReturned();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static IDisposable RentHere(Func<IDisposable> rent) => rent();

    private sealed class Rented<T>(ArrayPool<T> pool, int length) : IDisposable
    {
        private readonly T[] _array = pool.Rent(length);

        public void Dispose() => pool.Return(_array);
    }
}

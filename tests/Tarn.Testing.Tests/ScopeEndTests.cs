using System.Buffers;

namespace Tarn.Testing.Tests;

/// <summary>A scope that nobody asks, or that does not follow the test, does not pass in silence.</summary>
public sealed class ScopeEndTests
{
    private static readonly Dictionary<string, Func<Task>> s_failures = new()
    {
        ["its own"] = static () =>
        {
            using BufferScope scope = Lose();
            throw new NotSupportedException();
        },
        ["of a helper that disposes"] = static () =>
        {
            using Holder holder = new(Lose());
            throw new NotSupportedException();
        },
        ["after an await"] = static async () =>
        {
            using BufferScope scope = Lose();
            await Yield();
            throw new NotSupportedException();
        },
        ["of what it awaited"] = static async () =>
        {
            using BufferScope scope = Lose();
            await Fail(new NotSupportedException()).ConfigureAwait(false);
        },
        ["after another one was handled"] = static async () =>
        {
            using BufferScope scope = Lose();
            await Assert.ThrowsAsync<ArgumentException>(static () => Fail(new ArgumentException())).ConfigureAwait(false);
            throw new NotSupportedException();
        },
        ["beside one that a disposal handles"] = static () =>
        {
            using BufferScope scope = Lose();
            using Holder holder = new(null);
            throw new NotSupportedException();
        },
    };

    private static readonly Dictionary<string, Func<Task>> s_losses = new()
    {
        ["plain"] = static () =>
        {
            using BufferScope scope = Lose();
            return Task.CompletedTask;
        },
        ["a task"] = static async () =>
        {
            using BufferScope scope = Lose();
            await Yield();
        },
        ["an exception was handled"] = static () =>
        {
            using BufferScope scope = Lose();
            Assert.Throws<NotSupportedException>((Action)(static () => throw new NotSupportedException()));
            return Task.CompletedTask;
        },
        ["a task that failed was handled"] = static async () =>
        {
            using BufferScope scope = Lose();
            await Assert.ThrowsAsync<NotSupportedException>(static () => Fail(new NotSupportedException())).ConfigureAwait(false);
        },
        ["within a handler"] = static () =>
        {
            try
            {
                throw new NotSupportedException();
            }
            catch (NotSupportedException)
            {
                Disposed(Lose());
            }

            return Task.CompletedTask;
        },
    };

    public static TheoryData<string> Failures => [.. s_failures.Keys];

    public static TheoryData<string> Losses => [.. s_losses.Keys];

    [Theory]
    [MemberData(nameof(Losses))]
    public async Task A_scope_that_nobody_asked_asserts_at_its_end(string way)
    {
        BufferScopeException lost = await Assert.ThrowsAsync<BufferScopeException>(s_losses[way]);
        Assert.Single(lost.Unreturned);
    }

    [Theory]
    [MemberData(nameof(Failures))]
    public Task A_test_that_fails_for_another_reason_keeps_its_own(string reason) =>
        Assert.ThrowsAsync<NotSupportedException>(s_failures[reason]);

    [Fact]
    public void A_scope_that_was_asked_asserts_nothing_at_its_end()
    {
        BufferScope scope = Lose();
        Assert.Single(scope.GetUnreturned());
        scope.Dispose();
    }

    /// <summary>What an asynchronous method sets for its flow ends with it, so such a scope hears nothing.</summary>
    [Fact]
    public async Task A_scope_of_another_flow_says_so_and_how_to_start_it()
    {
        BufferScope fromHelper = await StartLate();
        byte[] lost = ArrayPool<byte>.Shared.Rent(100);
        AssertSaysSo(Assert.Throws<InvalidOperationException>(fromHelper.AssertAllReturned));
        AssertSaysSo(Assert.Throws<InvalidOperationException>(() => fromHelper.GetUnreturned()));
        AssertSaysSo(await Assert.ThrowsAsync<InvalidOperationException>(() => fromHelper.AssertAllReturnedAsync(TimeSpan.Zero)));
        fromHelper.Dispose();
        ArrayPool<byte>.Shared.Return(lost);

        BufferScope fromThread = await Task.Run(BufferScope.Start);
        AssertSaysSo(Assert.Throws<InvalidOperationException>(fromThread.Dispose));
        Assert.Throws<ObjectDisposedException>(() => fromThread.GetUnreturned());

        // One that is around the test's own is not the one that the helper started.
        using BufferScope outer = BufferScope.Start();
        using BufferScope inner = await StartLate();
        AssertSaysSo(Assert.Throws<InvalidOperationException>(inner.AssertAllReturned));
        outer.AssertAllReturned();
    }

    [Fact]
    public async Task A_helper_without_async_starts_a_scope_that_follows_its_caller()
    {
        using BufferScope scope = Lose();
        await Yield();
        Assert.Single(scope.GetUnreturned());
        await Task.Run(() => Assert.Single(scope.GetUnreturned()));
    }

    private static void AssertSaysSo(InvalidOperationException exception)
    {
        Assert.Contains("The scope does not follow the code that asks it", exception.Message, StringComparison.Ordinal);
        Assert.Contains("Call BufferScope.Start() in the test", exception.Message, StringComparison.Ordinal);
    }

    private static async Task<BufferScope> StartLate()
    {
        BufferScope scope = BufferScope.Start();
        await Task.Yield();
        return scope;
    }

    private static BufferScope Lose()
    {
        BufferScope scope = BufferScope.Start();
        _ = ArrayPool<byte>.Shared.Rent(100);
        return scope;
    }

    private static void Disposed(BufferScope scope)
    {
        using (scope)
        {
        }
    }

    /// <summary>Goes on outside of any handler, on a thread of the pool.</summary>
    private static async Task Yield() => await Task.Delay(1).ConfigureAwait(false);

    /// <summary>Fails on another thread, whose handler goes on with what waits for it.</summary>
    private static async Task Fail(Exception exception)
    {
        await Yield();
        throw exception;
    }

    private sealed class Holder(BufferScope? scope) : IDisposable
    {
        public void Dispose()
        {
            scope?.Dispose();
            try
            {
                throw new ArgumentException("of the disposal");
            }
            catch (ArgumentException)
            {
                // It stays within.
            }
        }
    }
}

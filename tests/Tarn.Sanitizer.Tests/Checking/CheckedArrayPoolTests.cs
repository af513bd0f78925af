using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text.Json;

namespace Tarn.Sanitizing.Tests.Checking;

/// <summary>A correct program sees no difference, and what the options change.</summary>
public class CheckedArrayPoolTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(16)]
    [InlineData(17)]
    [InlineData(1000)]
    [InlineData(1 << 20)]
    [InlineData((1 << 20) + 1)]
    public void Lengths_are_those_of_the_original(int length)
    {
        using var run = new CheckedRun();
        foreach (Func<ArrayPool<int>> make in new Func<ArrayPool<int>>[]
        {
            () => ArrayPool<int>.Shared,
            ArrayPool<int>.Create,
            () => ArrayPool<int>.Create(1000, 3),
            () => ArrayPool<int>.Create(1 << 22, 1),
        })
        {
            int expected = make().Rent(length).Length;
            int[] buffer = run.PoolFor(make()).Rent(length);
            Assert.Equal(expected, buffer.Length);
            Assert.Equal(new int[expected], buffer);
        }
    }

    [Fact]
    public void Wrong_arguments_get_the_answers_of_the_original()
    {
        using var run = new CheckedRun();
        ArrayPool<byte> pool = run.Shared<byte>();
        Assert.Same(ArrayPool<byte>.Shared.Rent(0), pool.Rent(0));
        pool.Return([]);
        foreach (ArrayPool<byte> one in new[] { ArrayPool<byte>.Shared, ArrayPool<byte>.Create() })
        {
            pool = run.PoolFor(one);
            pool.Return(pool.Rent(1));
            Assert.Equal(Message(() => one.Rent(-1)), Message(() => pool.Rent(-1)));
            Assert.Equal(Message(() => one.Return(null!)), Message(() => pool.Return(null!)));
            Assert.Equal(Message(() => one.Return(new byte[17])), Message(() => pool.Return(new byte[17])));
        }
    }

    [Fact]
    public void An_array_that_was_rented_before_the_checks_began_goes_to_the_original()
    {
        using var run = new CheckedRun();
        ArrayPool<long> original = ArrayPool<long>.Create();
        long[] early = original.Rent(10);
        run.PoolFor(original).Return(early);
        Assert.Empty(run.Kinds());
        Assert.Same(early, original.Rent(10));
    }

    [Fact]
    public void Clearing_without_poison_clears()
    {
        using var run = new CheckedRun(("poison", "off"));
        ArrayPool<int> pool = run.Shared<int>();
        int[] buffer = pool.Rent(16);
        buffer[3] = 1;
        pool.Return(buffer);
        Assert.Equal(1, buffer[3]);
        buffer = pool.Rent(16);
        buffer[3] = 1;
        pool.Return(buffer, clearArray: true);
        Assert.Equal(0, buffer[3]);
    }

    [Fact]
    public void No_buffer_is_handed_out_twice()
    {
        using var run = new CheckedRun(("quarantine", "0"));
        ArrayPool<byte> pool = run.Shared<byte>();
        byte[] first = pool.Rent(100);
        pool.Return(first);
        Assert.NotSame(first, pool.Rent(100));
    }

    [Fact]
    public void Exact_gives_what_was_asked_for_and_poisoned_rents_are_poisoned()
    {
        using var run = new CheckedRun(("exact", "on"), ("poison-rents", "on"));
        byte[] buffer = run.Shared<byte>().Rent(100);
        Assert.Equal(100, buffer.Length);
        Assert.All(buffer, static one => Assert.Equal(0xDB, one));
        Assert.All(run.Shared<bool>().Rent(100), Assert.False);
        run.Shared<byte>().Return(buffer);
        Assert.Empty(run.Kinds());
    }

    [Fact]
    public void A_wrong_return_throws_on_request()
    {
        using var run = new CheckedRun(("throw", "on"));
        ArrayPool<byte> pool = run.Shared<byte>();
        byte[] buffer = pool.Rent(100);
        pool.Return(buffer);
        string message = Assert.Throws<InvalidOperationException>(() => pool.Return(buffer)).Message;
        Assert.Contains("ReturnedTwice of a buffer of 128 bytes of ArrayPool<Byte>.Shared at", message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_sample_leaves_the_other_rents_to_the_original()
    {
        using var run = new CheckedRun(("sample", "1/4"));
        ArrayPool<short> pool = run.Shared<short>();
        for (int i = 0; i < 100; i++)
        {
            pool.Return(pool.Rent(100));
        }

        run.Checker.End(collects: false);
        JsonElement end = Assert.Single(run.Lines("end"));
        Assert.Equal(25, end.GetProperty("rents").GetInt64());
        Assert.Equal(25, end.GetProperty("returns").GetInt64());
        Assert.Empty(run.Kinds());
    }

    [Fact]
    public void What_the_checker_rents_itself_is_not_watched()
    {
        using var run = new CheckedRun();
        object? inner = null;
        Tarn.Sanitizing.Checking.Inside.Enter();
        inner = run.Checker.Find(ArrayPool<byte>.Shared, typeof(byte));
        Tarn.Sanitizing.Checking.Inside.Leave();
        Assert.Null(inner);
    }

    [Fact]
    public void Many_incidents_of_a_place_are_one_with_a_count()
    {
        using var run = new CheckedRun();
        ArrayPool<byte> pool = run.Shared<byte>();
        for (int i = 0; i < 1000; i++)
        {
            pool.Return(new byte[128]);
            pool.Return(pool.Rent(1));
        }

        run.Checker.End(collects: false);
        // The first is taken for one that was rented before the checks began.
        Assert.Single(run.Kinds());
        Assert.Equal(999, run.Lines("count")[^1].GetProperty("count").GetInt64());
    }

    [Fact]
    public void Disturbed_buffers_are_found_when_they_leave_the_quarantine_and_on_request_once()
    {
        using var run = new CheckedRun(("quarantine", "1"));
        ArrayPool<byte> pool = run.Shared<byte>();
        Spoil(pool, 1);
        run.Checker.Verify();
        run.Checker.Verify();
        Assert.Single(run.Kinds());
        SpoilAgain(pool);
        for (int i = 0; i < 20; i++)
        {
            pool.Return(pool.Rent(100_000));
        }

        Assert.Equal(["WriteAfterReturn", "WriteAfterReturn"], run.Kinds());
        JsonElement first = run.Lines("incident")[0];
        Assert.Equal(
            "element 1 of 128 was written; the bytes from there on are 07DBDBDBDBDBDBDBDBDBDBDBDBDBDBDB.",
            first.GetProperty("detail").GetString());
        Assert.EndsWith(".Spoil", run.Methods(first, "rented")[0], StringComparison.Ordinal);
        Assert.EndsWith(".Spoil", run.Methods(first, "returned")[0], StringComparison.Ordinal);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Spoil(ArrayPool<byte> pool, int element)
    {
        byte[] buffer = pool.Rent(100);
        pool.Return(buffer);
        buffer[element] = 7;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void SpoilAgain(ArrayPool<byte> pool)
    {
        byte[] buffer = pool.Rent(100);
        pool.Return(buffer);
        buffer[2] = 7;
    }

    private static string Message(Action call) => Assert.ThrowsAny<ArgumentException>(call).Message;
}

using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics;

public class UseAfterReturnTests
{
    private readonly ManualTime _time = new();

    [Fact]
    public void A_late_write_is_found_when_the_buffer_is_reused()
    {
        using CheckedPool<int> tested = new(BufferChecks.UseAfterReturn);
        int[] written = RentWithThisMethod(tested.Pool);
        ReturnWithThisMethod(tested.Pool, written);
        written[^1] = 5;

        HashSet<int[]> rented = [];
        for (int i = 0; i < 1000 && !rented.Contains(written); i++)
        {
            int[] next = tested.Pool.Rent(100);
            rented.Add(next);
            tested.Pool.Return(next);
        }

        Assert.Contains(written, rented);
        AssertFound(tested);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(50)]
    [InlineData(99)]
    public void A_late_write_anywhere_is_found_on_a_trim(int index)
    {
        using CheckedPool<int> tested = new(BufferChecks.All);
        int[] written = RentWithThisMethod(tested.Pool);
        ReturnWithThisMethod(tested.Pool, written);
        written[index] ^= 1;

        Assert.True(tested.Pool.Trim() > 0);

        AssertFound(tested);
    }

    [Fact]
    public void A_late_write_is_found_by_the_clock_when_the_buffer_has_lain_idle()
    {
        TrimClock clock = new(_time, static () => false);
        using CheckedPool<int> tested =
            new(BufferChecks.All, new BufferPoolOptions { Clock = clock, IdleTimeout = TimeSpan.FromSeconds(30) });
        int[] written = RentWithThisMethod(tested.Pool);
        ReturnWithThisMethod(tested.Pool, written);
        written[3] = 7;
        _time.Skip(TimeSpan.FromSeconds(29));
        clock.Tick();
        tested.Incidents.AssertNone();
        Assert.True(tested.Pool.GetStatistics().RetainedBytes > 0);

        _time.Skip(TimeSpan.FromSeconds(31));
        clock.Tick();

        AssertFound(tested);
        Assert.Equal(0, tested.Pool.GetStatistics().RetainedBytes);
        Assert.False(clock.IsRunning);
    }

    [Fact]
    public void The_clock_handles_buffers_returned_after_it_stopped()
    {
        TrimClock clock = new(_time, static () => false);
        using CheckedPool<int> tested = new(BufferChecks.UseAfterReturn, new BufferPoolOptions { Clock = clock });
        for (int i = 0; i < 3; i++)
        {
            tested.Pool.Return(tested.Pool.Rent(100));
            Assert.True(clock.IsRunning);
            _time.Skip(TimeSpan.FromMinutes(1));
            clock.Tick();
            Assert.Equal(0, tested.Pool.GetStatistics().RetainedBytes);
            Assert.False(clock.IsRunning);
        }
    }

    [Fact]
    public void Without_an_idle_timeout_the_clock_gives_nothing_up()
    {
        TrimClock clock = new(_time, static () => false);
        using CheckedPool<int> tested = new(
            BufferChecks.UseAfterReturn, new BufferPoolOptions { Clock = clock, IdleTimeout = Timeout.InfiniteTimeSpan });
        tested.Pool.Return(tested.Pool.Rent(100));
        _time.Skip(TimeSpan.FromDays(1));
        clock.Tick();

        Assert.True(tested.Pool.GetStatistics().RetainedBytes > 0);
    }

    [Fact]
    public void A_late_write_of_a_reference_is_found()
    {
        using CheckedPool<string?> tested = new(BufferChecks.All);
        string?[] written = tested.Pool.Rent(3);
        tested.Pool.Return(written);
        written[2] = "late";
        tested.Pool.Trim();

        Assert.Equal(BufferIncidentKind.UseAfterReturn, tested.Incidents.WaitForOne().Kind);
    }

    [Fact]
    public void References_are_let_go_of_at_the_return()
    {
        using CheckedPool<object?> tested = new(BufferChecks.UseAfterReturn);
        object?[] buffer = tested.Pool.Rent(3);
        buffer.AsSpan().Fill(new object());
        tested.Pool.Return(buffer);

        Assert.All(buffer, Assert.Null);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_late_write_is_found_when_the_process_ends(bool callsExit)
    {
        string[] lines = ChildProcess.Run(callsExit ? ["exit", "Environment.Exit"] : ["exit"]);

        Assert.Equal(["ending", "incident=UseAfterReturn exit 448", "rentedHere=True", "returnedHere=True"], lines);
    }

    [Fact]
    public void A_buffer_is_not_reused_at_once_so_that_late_writers_are_seen()
    {
        using CheckedPool<int> tested = new(BufferChecks.UseAfterReturn);
        int[] first = tested.Pool.Rent(100);
        tested.Pool.Return(first);

        Assert.NotSame(first, tested.Pool.Rent(100));
    }

    [Fact]
    public void The_quarantine_stays_under_the_cap()
    {
        using CheckedPool<byte> tested = new(BufferChecks.All, new BufferPoolOptions { MaxRetainedBytes = 10_000 });
        byte[][] buffers = [.. Enumerable.Range(1, 200).Select(i => tested.Pool.Rent(i * 97))];
        foreach (byte[] buffer in buffers)
        {
            tested.Pool.Return(buffer);
            Assert.InRange(tested.Pool.GetStatistics().RetainedBytes, 0, 10_000);
        }

        tested.Pool.Trim();
        Assert.Equal(0, tested.Pool.GetStatistics().RetainedBytes);
    }

    [Fact]
    public void An_incident_handler_or_listener_may_use_the_pool_that_the_incident_is_about()
    {
        using CheckedPool<byte> tested = new(BufferChecks.All, new BufferPoolOptions { MaxRetainedBytes = 4096 });
        int handled = 0;
        void UseThePool(object? sender, BufferIncident incident)
        {
            tested.Pool.Return(tested.Pool.Rent(50));
            tested.Pool.Trim();
            Interlocked.Increment(ref handled);
        }

        BufferDiagnostics.IncidentFound += UseThePool;
        try
        {
            for (int i = 0; i < 10; i++)
            {
                byte[] written = tested.Pool.Rent(100 * (i + 1));
                tested.Pool.Return(written);
                written[0] = 1;
            }

            tested.Pool.Trim();

            // Not ten: a handler's trim may look at a buffer between its return and the write.
            Eventually.True(() => Volatile.Read(ref handled) > 0, "the handler used the pool");
        }
        finally
        {
            BufferDiagnostics.IncidentFound -= UseThePool;
        }
    }

    private static void AssertFound(CheckedPool<int> tested)
    {
        BufferIncident incident = tested.Incidents.WaitForOne();
        Assert.Equal((BufferIncidentKind.UseAfterReturn, 448L), (incident.Kind, incident.SizeInBytes));
        Assert.Contains(nameof(RentWithThisMethod), incident.RentedAt, StringComparison.Ordinal);
        Assert.Contains(nameof(ReturnWithThisMethod), incident.ReturnedAt, StringComparison.Ordinal);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int[] RentWithThisMethod(BufferPool<int> pool) => pool.Rent(100);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReturnWithThisMethod(BufferPool<int> pool, int[] buffer) => pool.Return(buffer);
}

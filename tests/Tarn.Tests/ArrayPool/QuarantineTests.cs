using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>The quarantine of a checked pool's returned buffers.</summary>
public sealed class QuarantineTests
{
    private const int Length = 100;

    /// <summary>A buffer is handed out again when that many of its length are there.</summary>
    private const int Depth = 16;

    private static readonly TimeSpan s_idle = TimeSpan.FromSeconds(10);

    private readonly string _name = $"quarantine {Guid.NewGuid()}";
    private readonly ManualClock _clock = new(followsCollections: false);

    [Fact]
    public void A_buffer_is_reused_late_in_order_and_poisoned()
    {
        Quarantine<byte> quarantine = Create<byte>();
        byte[][] arrays = [.. Enumerable.Range(0, Depth).Select(static _ => new byte[Length])];
        foreach (byte[] array in arrays)
        {
            Assert.Null(quarantine.Take(Length));
            Assert.True(quarantine.Add(array));
        }

        Assert.Equal(Depth * Length, quarantine.RetainedBytes);
        Assert.Same(arrays[0], quarantine.Take(Length));
        Assert.Equal(-1, arrays[0].AsSpan().IndexOfAnyExcept(BufferDiagnostics.PoisonByte));
        Assert.Null(quarantine.Take(Length));
        Assert.Equal((Depth - 1) * Length, quarantine.RetainedBytes);
    }

    [Fact]
    public void References_are_cleared_and_handed_out_cleared()
    {
        Quarantine<string?> quarantine = Create<string?>(elementSize: 8);
        string?[][] arrays = [.. Enumerable.Range(0, Depth).Select(static _ => Enumerable.Repeat<string?>("x", Length).ToArray())];
        Assert.All(arrays, array => Assert.True(quarantine.Add(array)));
        Assert.All(arrays, static array => Assert.All(array, Assert.Null));

        Assert.All(quarantine.Take(Length)!, Assert.Null);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_buffer_written_in_quarantine_is_reported_once_wherever_it_is_found(bool byTrim)
    {
        using IncidentLog incidents = new(_name);
        Quarantine<byte> quarantine = Create<byte>();
        byte[] written = new byte[Length];
        quarantine.Add(written);
        written[7] = 1;
        if (byTrim)
        {
            Assert.Equal(Length, quarantine.Trim(TimeSpan.MaxValue));
            Assert.Equal(0, quarantine.RetainedBytes);
        }
        else
        {
            quarantine.Look(isExit: false);
            quarantine.Look(isExit: false);
            Assert.Equal(Length, quarantine.RetainedBytes);
        }

        BufferIncident incident = incidents.WaitForOne();
        Assert.Equal(BufferIncidentKind.UseAfterReturn, incident.Kind);
        Assert.Contains("element 7 of 100", incident.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(Length - 1, 0)]
    [InlineData(10 * Length, 10)]
    [InlineData(1 << 20, 64)]
    public void It_keeps_no_more_than_the_cap_or_sixty_four_of_a_length_and_the_newest(long cap, int kept)
    {
        Quarantine<byte> quarantine = Create<byte>(cap: cap);
        byte[][] arrays = [.. Enumerable.Range(0, 80).Select(static _ => new byte[Length])];
        Assert.Equal(kept > 0 ? 80 : 0, arrays.Count(quarantine.Add));

        Assert.Equal(kept * Length, quarantine.RetainedBytes);
        if (kept >= Depth)
        {
            Assert.Same(arrays[80 - kept], quarantine.Take(Length));
        }
    }

    [Fact]
    public void Idle_buffers_go_by_the_clock_and_the_source_sleeps()
    {
        Quarantine<byte> quarantine = Create<byte>();
        quarantine.Add(new byte[Length]);
        _clock.Advance(s_idle / 2);
        quarantine.Add(new byte[Length]);
        _clock.Advance((s_idle / 2) + (s_idle / 4));
        Assert.Equal(Length, quarantine.RetainedBytes);
        _clock.Advance(s_idle);
        Assert.Equal(0, quarantine.RetainedBytes);
        Assert.False(_clock.Trim.IsRunning);
    }

    [Fact]
    public void An_exact_length_is_known_to_the_pool_from_its_first_rent()
    {
        PoolCore core = CreateCore(1 << 20, 1);
        Quarantine<byte> quarantine = new(core, RentLedger.Create(BufferChecks.All, _name)!, handsOutCleared: true);
        Assert.Null(quarantine.TakeExact(Length + 1));
        Assert.True(core.Exact.Knows(Length + 1));
        for (int i = 0; i < Depth; i++)
        {
            quarantine.Add(new byte[Length + 1]);
        }

        Assert.Equal(-1, quarantine.TakeExact(Length + 1).AsSpan().IndexOfAnyExcept((byte)0));
    }

    /// <summary>The handler of an incident uses the pool, which a lock held by the reporter would not allow.</summary>
    [Fact]
    public void Nothing_is_reported_under_its_lock()
    {
        Quarantine<byte> quarantine = Create<byte>();
        byte[] written = new byte[Length];
        quarantine.Add(written);
        written[0] = 1;
        using ManualResetEventSlim handled = new();
        void Handle(object? sender, BufferIncident incident)
        {
            if (incident.SourceName == _name)
            {
                Worker.RunOnce(() => quarantine.Add(new byte[Length]));
                handled.Set();
            }
        }

        BufferDiagnostics.IncidentFound += Handle;
        try
        {
            quarantine.Trim(TimeSpan.MaxValue);
            Eventually.True(() => handled.IsSet, "the handler used the quarantine");
        }
        finally
        {
            BufferDiagnostics.IncidentFound -= Handle;
        }
    }

    private Quarantine<T> Create<T>(int elementSize = 1, long cap = 1 << 20) =>
        new(CreateCore(cap, elementSize), RentLedger.Create(BufferChecks.All, _name)!, handsOutCleared: false);

    private PoolCore CreateCore(long cap, int elementSize) => new(
        new BufferPoolOptions { MaxRetainedBytes = cap, IdleTimeout = s_idle, Clock = _clock.Trim }, elementSize, eventId: 0);
}

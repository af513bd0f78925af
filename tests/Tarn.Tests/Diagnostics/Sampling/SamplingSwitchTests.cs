using System.Diagnostics.Tracing;
using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics.Sampling;

/// <summary>How sampling is turned on and off, and what listeners are told.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public unsafe class SamplingSwitchTests
{
    [Fact]
    public void The_interval_is_what_was_set()
    {
        Assert.Equal(0, BufferDiagnostics.SampleInterval);
        try
        {
            BufferDiagnostics.SampleInterval = 4096;
            Assert.Equal(4096, BufferDiagnostics.SampleInterval);
        }
        finally
        {
            BufferDiagnostics.SampleInterval = 0;
        }

        Assert.Equal(0, BufferDiagnostics.SampleInterval);
        ArgumentOutOfRangeException refused =
            Assert.Throws<ArgumentOutOfRangeException>(static () => BufferDiagnostics.SampleInterval = -5);
        Assert.Contains("-5", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_profile_needs_sampling_and_a_stream_to_write_to()
    {
        InvalidOperationException none = Assert.Throws<InvalidOperationException>(static () => BufferDiagnostics.WriteProfile(Stream.Null));
        Assert.Contains("SampleInterval", none.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentNullException>("destination", static () => BufferDiagnostics.WriteProfile(null!));
        using MemoryStream full = new([], writable: false);
        Assert.Throws<ArgumentException>("destination", () => BufferDiagnostics.WriteProfile(full));
    }

    [Fact]
    public void The_profile_says_what_it_holds()
    {
        using SamplingSession session = new(interval: 3000);
        PprofReader profile = PprofReader.Take();

        Assert.Equal(
            [
                "alloc_objects count", "alloc_space bytes", "inuse_objects count", "inuse_space bytes", "lost_objects count",
                "lost_space bytes",
            ],
            profile.Types);
        Assert.Equal(("space bytes", 3000, "inuse_space"), (profile.PeriodType, profile.Period, profile.DefaultType));
        Assert.InRange(profile.Time + profile.Duration, DateTime.UtcNow.AddMinutes(-1), DateTime.UtcNow);
        Assert.Empty(profile.Samples);
        Assert.Empty(profile.Comments);
    }

    [Fact]
    public void A_sample_names_its_pool_its_size_and_the_methods_with_lines()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "named", Checks = BufferChecks.None });
        using SamplingSession session = new(interval: 1);
        pool.Return(pool.Rent(100));

        PprofSample sample = Assert.Single(PprofReader.Take().Samples, static one => one.Labels["pool"] == "named");
        Assert.Equal(("array pool", "112 bytes"), (sample.Labels["kind"], sample.Labels["bytes"]));
        PprofFrame first = sample.Stack[0];
        Assert.Equal(
            $"{typeof(SamplingSwitchTests).FullName}.{nameof(A_sample_names_its_pool_its_size_and_the_methods_with_lines)}", first.Method);
        Assert.EndsWith($"{nameof(SamplingSwitchTests)}.cs", first.File, StringComparison.Ordinal);
        Assert.InRange(first.Line, 60, 90);
        Assert.All(sample.Stack, static frame => Assert.NotEmpty(frame.Method));
    }

    [Fact]
    public void A_new_interval_begins_a_new_profile_on_every_thread()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "again", Checks = BufferChecks.None });
        using Worker other = new();
        using (SamplingSession rare = new(interval: 1L << 40))
        {
            other.Run(() => pool.Return(pool.Rent(100)));
            Assert.Equal(0, PprofReader.Take().Sum("alloc_objects", "again"));
        }

        using SamplingSession often = new(interval: 1);
        other.Run(() => pool.Return(pool.Rent(100)));
        Assert.Equal(1, PprofReader.Take().Sum("alloc_objects", "again"));
    }

    [Fact]
    public void A_listener_that_passes_an_interval_is_told_of_samples_and_their_ends()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "listened", Checks = BufferChecks.None });
        pool.Return(pool.Rent(100));
        using (SampleListener listener = new("1"))
        {
            Assert.Equal(1, BufferDiagnostics.SampleInterval);
            pool.Return(pool.Rent(100));

            object?[] sampled = Assert.Single(listener.Of("BufferSampled"), one => one[1] is int id && id == pool.GetHashCode());
            Assert.Equal([112L, 100L, 1.0], sampled[2..]);
            object?[] ended = Assert.Single(listener.Of("SampledBufferEnded"), one => Equals(one[0], sampled[0]));
            Assert.Equal((int)SampleEnd.Returned, ended[1]);
            Assert.InRange((long)ended[2]!, 0, 60_000_000);
        }

        Assert.Equal(0, BufferDiagnostics.SampleInterval);
    }

    [Fact]
    public void A_listener_that_passes_no_interval_turns_nothing_on_and_one_that_leaves_turns_nothing_off()
    {
        using (SampleListener listener = new(interval: null))
        {
            Assert.Equal(0, BufferDiagnostics.SampleInterval);
        }

        using SamplingSession session = new(interval: 5000);
        using (SampleListener listener = new("1"))
        {
            Assert.Equal(5000, BufferDiagnostics.SampleInterval);
        }

        Assert.Equal(5000, BufferDiagnostics.SampleInterval);
    }

    [Fact]
    public void An_interval_that_is_not_understood_is_reported_to_the_listener()
    {
        using SampleListener listener = new("often");

        Assert.Equal(0, BufferDiagnostics.SampleInterval);
        Assert.Contains(
            listener.Of("SettingIgnored"),
            static one => ((string)one[0]!).StartsWith("SampleInterval=\"often\"", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("often", 1)]
    [InlineData("-1", 1)]
    [InlineData("524288", 0)]
    [InlineData("0", 0)]
    public void Standard_error_has_a_line_when_the_variable_is_not_understood(string value, int lines)
    {
        (int exitCode, _, string error) =
            ChildProcess.RunToEnd(["checks", "0", "False"], limits: null, (SamplingEnvironment.Variable, value));

        Assert.Equal(0, exitCode);
        Assert.Equal(lines, ChildProcess.Lines(error).Length);
        Assert.StartsWith(lines == 0 ? "" : $"Tarn: TARN_SAMPLE_INTERVAL=\"{value}\" was ignored; ", error, StringComparison.Ordinal);
    }

    private sealed class SampleListener : EventListener
    {
        private readonly System.Collections.Concurrent.ConcurrentQueue<(string Name, object?[] Payload)> _events = new();

        internal SampleListener(string? interval) => EnableEvents(
            TarnEventSource.Log!,
            EventLevel.Informational,
            TarnEventSource.Keywords.Sampling,
            interval is null ? null : new Dictionary<string, string?> { [BufferSampling.IntervalArgument] = interval });

        internal object?[][] Of(string name) => [.. _events.Where(one => one.Name == name).Select(one => one.Payload)];

        public override void Dispose()
        {
            DisableEvents(TarnEventSource.Log!);
            base.Dispose();
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData) =>
            _events?.Enqueue((eventData.EventName!, [.. eventData.Payload!]));
    }
}

using System.IO.Compression;
using Tarn.Tests.Support;
using Tarn.Tool.Reports;
using Tarn.Tool.Tests.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Recording;

public class DetailsFileTests
{
    [Fact]
    public void A_recording_is_read_as_it_was_written()
    {
        BufferTrace trace = Sample();

        BufferTrace read = TraceFile.Read(new MemoryStream(Bytes(trace)));

        Assert.Equal(trace.Events.ToArray(), read.Events.ToArray());
        Assert.Equal(trace.Origin, read.Origin);
        TraceDetails before = trace.Details!;
        TraceDetails after = read.Details!;
        Assert.Equal(
            (before.ProcessId, before.IsFromStart, before.HasEnded, before.BeginMicroseconds, before.EndMicroseconds),
            (after.ProcessId, after.IsFromStart, after.HasEnded, after.BeginMicroseconds, after.EndMicroseconds));
        Assert.Equal(before.Actions, after.Actions);
        Assert.Equal(before.Pools, after.Pools);
        Assert.Equal(before.Stacks.Frames, after.Stacks.Frames);
        Assert.Equal(before.Stacks.Nodes.ToArray(), after.Stacks.Nodes.ToArray());
        Assert.Contains(after.Actions, action => action.Kind == PoolActionKind.ReturnedAgain && action.EarlierStack != 0);
    }

    [Fact]
    public void Wherever_a_recording_is_cut_off_it_is_refused()
    {
        byte[] bytes = Bytes(Sample());

        for (int length = 0; length < bytes.Length; length++)
        {
            byte[] cut = bytes[..length];
            Assert.Throws<InvalidDataException>(() => TraceFile.Read(new MemoryStream(cut)));
        }
    }

    [Fact]
    public void A_body_that_was_tampered_with_gives_a_valid_recording_or_is_refused()
    {
        byte[] body = TraceBody.Encode(Sample());
        var random = new Random(7);
        int refused = 0;
        int trials = StressLength.Times(600, 3_000);
        for (int trial = 0; trial < trials; trial++)
        {
            byte[] tampered = [.. body];
            for (int changes = random.Next(4); changes >= 0; changes--)
            {
                tampered[random.Next(tampered.Length)] = (byte)random.Next(256);
            }

            if (trial % 3 == 0)
            {
                int at = random.Next(tampered.Length);
                tampered = [.. tampered[..at], .. tampered[random.Next(at, Math.Min(at + 9, tampered.Length))..]];
            }

            byte[] compressed = TraceFile.Compress(tampered, CompressionLevel.Fastest);
            byte[] head = TraceFile.Head(compressed, TraceFile.DetailsVersion);
            try
            {
                Findable(TraceFile.Read(new MemoryStream([.. head, .. compressed])));
            }
            catch (InvalidDataException)
            {
                refused++;
            }
        }

        Assert.InRange(refused, 1, trials - 1);
    }

    [Fact]
    public void A_stack_that_names_a_later_one_is_refused()
    {
        StackFrame[] frames = [new("A", "M")];

        Assert.Throws<InvalidDataException>(() => new StackTable(frames, [new StackNode(1, 0)]));
        Assert.Throws<InvalidDataException>(() => new StackTable(frames, [new StackNode(0, 1)]));
        Assert.Equal(["A", "A"], new StackTable(frames, [new StackNode(0, 0), new StackNode(1, 0)]).Walk(2).Select(frame => frame.Method));
    }

    [Fact]
    public void The_longest_time_is_read_and_reported_and_a_longer_one_refused()
    {
        BufferTrace trace = Sample();
        TraceDetails details = trace.Details! with { EndMicroseconds = TraceDetails.MostMicroseconds };
        PoolAction action = details.Actions[0];
        BufferTrace With(TraceDetails other) => new(trace.Origin, trace.Events.ToArray(), other);

        Findable(TraceFile.Read(new MemoryStream(Bytes(With(details)))));
        Findable(Reread(With(details with { BeginMicroseconds = -TraceDetails.MostMicroseconds })));

        Assert.Throws<InvalidDataException>(() => With(details with { EndMicroseconds = TraceDetails.MostMicroseconds + 1 }));
        Assert.Throws<InvalidDataException>(() => With(details with { EndMicroseconds = -1 }));
        Assert.Throws<InvalidDataException>(() => With(details with { BeginMicroseconds = 1 }));
        Assert.Throws<InvalidDataException>(() => With(details with { BeginMicroseconds = -TraceDetails.MostMicroseconds - 1 }));
        foreach (long time in (long[])[TraceDetails.MostMicroseconds + 1, -TraceDetails.MostMicroseconds - 1, long.MaxValue, long.MinValue])
        {
            Assert.Throws<InvalidDataException>(() => With(details with { Actions = [action with { Microseconds = time }] }));
        }
    }

    [Fact]
    public void The_tests_of_frames_are_read_as_they_were_written()
    {
        BufferTrace trace = Sample();
        StackTable stacks = trace.Details!.Stacks;
        var named = new StackTable(
            stacks.Frames.Select((frame, index) => frame with { Test = index % 2 == 0 ? "" : $"Tests.Test{index}" }),
            stacks.Nodes[1..].ToArray());
        byte[] bytes = Bytes(new BufferTrace(trace.Origin, trace.Events.ToArray(), trace.Details with { Stacks = named }));

        Assert.Equal(named.Frames, TraceFile.Read(new MemoryStream(bytes)).Details!.Stacks.Frames);
        Assert.Contains(named.Frames, frame => frame.Test.Length > 0);
    }

    [Fact]
    public void What_was_cut_and_the_names_of_pools_are_read_as_they_were_written()
    {
        BufferTrace trace = Sample();
        TracedPool[] pools = [.. trace.Details!.Pools.Select((pool, index) => pool with { Name = $"pool {index}" })];
        foreach (RecordingCut cut in Enum.GetValues<RecordingCut>().Append(RecordingCut.Events | RecordingCut.Broken))
        {
            var whole = new BufferTrace(trace.Origin, trace.Events.ToArray(), trace.Details with { Cut = cut, Pools = pools });

            TraceDetails read = TraceFile.Read(new MemoryStream(Bytes(whole))).Details!;

            Assert.Equal(cut, read.Cut);
            Assert.Equal(pools, read.Pools);
        }

        Assert.Throws<InvalidDataException>(
            () => new BufferTrace(trace.Origin, trace.Events.ToArray(), trace.Details with { Cut = (RecordingCut)64 }));
    }

    [Fact]
    public void A_program_may_rent_nothing_for_days()
    {
        long day = (long)TimeSpan.FromDays(3).TotalMicroseconds;
        BufferEvent[] events = [new(0, 0, 0, 16, BufferEvent.None), new(day, 0, 0, 16, 0)];
        BufferTrace sample = Sample();
        var trace = new BufferTrace(sample.Origin, events, sample.Details! with { EndMicroseconds = day });

        Assert.Equal(day, TraceFile.Read(new MemoryStream(Bytes(trace))).Events[1].Microseconds);
    }

    /// <summary>Whatever is read can be analyzed and reported.</summary>
    private static void Findable(BufferTrace trace)
    {
        Tool.Analysis.Findings findings = Tool.Analysis.TraceAnalysis.Of(trace);
        _ = JsonReport.Write(findings);
        _ = MarkdownReport.Write(findings);
        _ = HtmlReport.Write(findings);
    }

    private static BufferTrace Sample()
    {
        var recording = new RecordingBuilder();
        for (int at = 0; at < 40; at++)
        {
            int buffer = recording.Rent(at, $"App.Site{at % 5}", length: 16 << (at % 6), thread: at % 3);
            if (at % 4 != 0)
            {
                recording.Return(at + 0.5, buffer, length: 16 << (at % 6), thread: (at + 1) % 3);
            }

            if (at % 10 == 1)
            {
                recording.Return(at + 0.6, buffer, "App.Again", length: 16 << (at % 6)).Allocate(at, length: 64).Drop(at);
            }
        }

        return recording.Build(1_000);
    }

    /// <summary>Writes and reads a recording.</summary>
    internal static BufferTrace Reread(BufferTrace trace) => TraceFile.Read(new MemoryStream(Bytes(trace)));

    private static byte[] Bytes(BufferTrace trace)
    {
        using var stream = new MemoryStream();
        TraceFile.Write(stream, trace);
        return stream.ToArray();
    }
}

using Tarn.Tool.Advice;
using Tarn.Tool.Analysis;
using Tarn.Tool.Tests.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Advice;

public class AdviserTests
{
    [Fact]
    public void A_pool_that_allocates_for_most_rents_is_compared_with_others_and_the_best_is_advised()
    {
        // Sixty at once, which a pool of fifty places cannot serve; it allocated for each rent beyond.
        var recording = new RecordingBuilder();
        for (int round = 0; round < 50; round++)
        {
            int[] buffers = [.. Enumerable.Range(0, 60).Select(index => recording.Rent((round * 100) + (index * 0.1)))];
            for (int index = 0; index < buffers.Length; index++)
            {
                recording.Return((round * 100) + 50 + (index * 0.1), buffers[index]);
            }

            for (int index = 50; index < 60; index++)
            {
                recording.Allocate((round * 100) + (index * 0.1));
            }
        }

        BufferTrace trace = recording.Build(6_000);
        Findings findings = TraceAnalysis.Of(trace);
        PoolComparison comparison = Assert.Single(Adviser.Compare(trace, findings, processors: 2));

        Assert.Equal(500, comparison.Recorded.Allocated);
        ReplayResult fifty = comparison.Others.Single(one => one.Name == "ArrayPool.Create(1048576, 50)");
        // Fifty of its own and fifty of the longer bucket, allocated once.
        Assert.Equal((3_000, 60), (fifty.Rented, fifty.Allocated));
        Assert.All(comparison.Others, one => Assert.Equal(60, one.Allocated));
        Assert.Contains(Adviser.Advise(findings, [comparison]), advice => advice.StartsWith("Take ", StringComparison.Ordinal));
    }

    [Fact]
    public void Faults_are_advised_first_with_their_places()
    {
        var recording = new RecordingBuilder();
        int buffer = recording.Rent(0);
        recording.Return(1, buffer, "App.Finally").Return(2, buffer, "App.Dispose");
        for (int at = 0; at < 9_000; at += 100)
        {
            recording.Rent(at, "App.Loses");
        }

        string[] advice = [.. Adviser.Advise(TraceAnalysis.Of(recording.Build(10_000)), [])];

        Assert.StartsWith("Return a buffer once: App.Dispose in App.cs:30 returns what App.Finally ", advice[0], StringComparison.Ordinal);
        Assert.StartsWith("Return what App.Loses in App.cs:40 rents: 90 buffers ", advice[1], StringComparison.Ordinal);
    }
}

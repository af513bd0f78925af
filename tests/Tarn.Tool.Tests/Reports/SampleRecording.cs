using Tarn.Tool.Tests.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Reports;

/// <summary>A recording in which everything that a report shows happens, with names that a page must not take for markup.</summary>
internal static class SampleRecording
{
    public static BufferTrace Build()
    {
        var random = new Random(5);
        var recording = new RecordingBuilder(hasEnded: false);
        for (int at = 0; at < 30_000; at += 20)
        {
            int length = 256 << random.Next(9);
            string site = at % 60 == 0 ? "App.Uploads.Read"
                : at % 40 == 0 ? "App.Json<class, Int32>.Write"
                : "App.Http.Parser.FillBufferAsync";
            int buffer = recording.Rent(at, site, length, thread: (at / 20 % 3) + 1);
            if (at % 100 == 0 || at % 140 == 0)
            {
                recording.Allocate(at, site, length, reason: at % 7 == 0 ? PoolAction.TooLong : 2);
            }

            if (at % 300 != 0)
            {
                double hold = Math.Pow(10, random.NextDouble() * 3);
                recording.Return(at + hold, buffer, "App.Message.Complete", length, thread: random.Next(3) + 1);
            }

            if (at % 7_000 == 20)
            {
                recording.Return(at + 1_000, buffer, "App.Message.Dispose", length).Drop(at, length);
            }
        }

        recording.Rent(30_001, "App.Cache.Keep", length: 1 << 20);
        return recording.Build(32_000);
    }
}

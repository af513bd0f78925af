using System.Diagnostics;
using System.Globalization;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Watched;

/// <summary>A program that allocates much, and keeps some of it.</summary>
internal sealed class SampledDocuments : ISampledProgram
{
    /// <summary>Megabytes of documents that take collections no long time.</summary>
    public const int Few = 64;

    private const int Some = 2_000;
    private const int Many = 500;

    private readonly int _keptMegabytes;
    private readonly ChildConversation _child;
    private readonly double _nanosecondsEach;

    public SampledDocuments(int keptMegabytes)
    {
        _keptMegabytes = keptMegabytes;
        _child = new ChildConversation(DocumentsJob.JobName, keptMegabytes.ToString(CultureInfo.InvariantCulture));
        ProcessId = int.Parse(_child.Hear(), CultureInfo.InvariantCulture);
        for (int round = 0; round < 3; round++)
        {
            long begin = Stopwatch.GetTimestamp();
            _ = Ask(Some);
            _nanosecondsEach = Stopwatch.GetElapsedTime(begin).TotalNanoseconds / Some;
        }
    }

    /// <summary>The id of the program that does little but allocate.</summary>
    public static string AllocationHeavy { get; } = $"documents-{Few}";

    public string Id => $"documents-{_keptMegabytes}";

    public string Title => $"Documents, of which it keeps {_keptMegabytes} MB";

    public int ProcessId { get; }

    /// <summary>With much that is kept, collections are long and rare.</summary>
    public TimeSpan Turn => TimeSpan.FromMilliseconds(_keptMegabytes < Many ? 150 : 1_000);

    public double Work(TimeSpan time)
    {
        int count = Math.Max(1, (int)(time.TotalNanoseconds / _nanosecondsEach));
        _ = Ask(count);
        return count;
    }

    public SampledUse Used() => Ask(0);

    public void Dispose() => _child.Dispose();

    private SampledUse Ask(int count)
    {
        _child.Tell(count.ToString(CultureInfo.InvariantCulture));
        double[] used = [.. _child.Hear().Split(' ').Select(value => double.Parse(value, CultureInfo.InvariantCulture))];
        return new SampledUse(used[0], used[1], used[2]);
    }
}

using System.Diagnostics;
using System.Globalization;
using Tarn.Lab.Contenders;
using Tarn.Lab.Measurement;
using Tarn.Lab.Results;
using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Experiments;

/// <summary>A process's memory through a load that shrinks to a tenth and goes on at that size.</summary>
internal sealed class ShrinkingJob : IChildJob
{
    public const int Threads = 4;
    public const long LoadBytes = 400L << 20;
    private const string ShrunkKey = "shrunk at";
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(100);

    public string Name => "shrinking";

    /// <summary>Ours is a heap of its own with that idle timeout; peers have their own ways to give memory back.</summary>
    public static ShrunkMemory Start(string contender, TimeSpan idleTimeout, TimeSpan load, TimeSpan after, int seed)
    {
        IReadOnlyDictionary<string, double> found = ChildProcess.Run(
            "shrinking", contender, ToText(idleTimeout.TotalSeconds), ToText(load.TotalSeconds), ToText(after.TotalSeconds), ToText(seed));
        Point[] points =
        [
            .. found.Where(entry => entry.Key != ShrunkKey)
                .Select(entry => new Point(double.Parse(entry.Key, CultureInfo.InvariantCulture), entry.Value))
                .OrderBy(point => point.X),
        ];
        return new ShrunkMemory(contender, points, found[ShrunkKey]);
    }

    public IReadOnlyDictionary<string, double> Run(IReadOnlyList<string> arguments)
    {
        double[] numbers = [.. arguments.Skip(1).Select(argument => double.Parse(argument, CultureInfo.InvariantCulture))];
        var course = new Course(TimeSpan.FromSeconds(numbers[1]), TimeSpan.FromSeconds(numbers[2]), (int)numbers[3]);
        if (arguments[0] != NativeNames.TarnHeapInstance)
            return NativeContenders.Find(arguments[0]).Accept(course);

        using var heap = new NativeHeap(new NativeHeapOptions { Name = "lab shrinking", IdleTimeout = TimeSpan.FromSeconds(numbers[0]) });
        return course.Visit(arguments[0], new TarnHeapInstance(heap));
    }

    private static string ToText(double value) => value.ToString(CultureInfo.InvariantCulture);

    private sealed class Course(TimeSpan load, TimeSpan after, int seed) : INativeVisitor<IReadOnlyDictionary<string, double>>
    {
        private readonly Dictionary<string, double> _found = [];
        private readonly Stopwatch _clock = Stopwatch.StartNew();
        private long _before;

        public IReadOnlyDictionary<string, double> Visit<TAllocator>(string name, TAllocator allocator)
            where TAllocator : struct, INativeAllocator
        {
            var work = new ShrinkingLoad<TAllocator>(allocator, Threads, LoadBytes, seed);

            // What the process is without the load is not the allocator's: every sample is what came on top of it.
            ResidentMemory.Read();
            _before = ResidentMemory.Read();
            work.Run(load, after, Sample);
            return _found;
        }

        private void Sample(bool isShrunk)
        {
            if (isShrunk)
                _found.TryAdd(ShrunkKey, _clock.Elapsed.TotalSeconds);

            _found[ToText(_clock.Elapsed.TotalSeconds)] = Math.Max(0, ResidentMemory.Read() - _before);
            Thread.Sleep(s_interval);
        }
    }
}

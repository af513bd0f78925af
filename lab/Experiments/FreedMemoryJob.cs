using System.Diagnostics;
using System.Globalization;
using Tarn.Lab.Contenders;
using Tarn.Lab.Measurement;
using Tarn.Lab.Results;
using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Experiments;

/// <summary>A process's memory through a load and the quiet after everything was freed.</summary>
internal sealed class FreedMemoryJob : IChildJob
{
    public const int Threads = 4;
    public const long LoadBytes = 192L << 20;
    private const string IdleFromKey = "idle from";
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(100);

    public string Name => "freed-memory";

    /// <summary>Ours is a heap of its own with that idle timeout; peers have their own ways to give memory back.</summary>
    public static FreedMemory Start(string contender, TimeSpan idleTimeout, TimeSpan load, TimeSpan idle, int seed)
    {
        IReadOnlyDictionary<string, double> found = ChildProcess.Run(
            "freed-memory", contender, ToText(idleTimeout.TotalSeconds), ToText(load.TotalSeconds), ToText(idle.TotalSeconds), ToText(seed));
        Point[] points =
        [
            .. found.Where(entry => entry.Key != IdleFromKey)
                .Select(entry => new Point(double.Parse(entry.Key, CultureInfo.InvariantCulture), entry.Value))
                .OrderBy(point => point.X),
        ];
        return new FreedMemory(contender, points, found[IdleFromKey]);
    }

    public IReadOnlyDictionary<string, double> Run(IReadOnlyList<string> arguments)
    {
        double[] numbers = [.. arguments.Skip(1).Select(argument => double.Parse(argument, CultureInfo.InvariantCulture))];
        var course = new Course(TimeSpan.FromSeconds(numbers[1]), TimeSpan.FromSeconds(numbers[2]), new Random((int)numbers[3]));
        if (arguments[0] != NativeNames.TarnHeapInstance)
            return NativeContenders.Find(arguments[0]).Accept(course);

        using var heap = new NativeHeap(new NativeHeapOptions { Name = "lab freed memory", IdleTimeout = TimeSpan.FromSeconds(numbers[0]) });
        return course.Visit(arguments[0], new TarnHeapInstance(heap));
    }

    private static string ToText(double value) => value.ToString(CultureInfo.InvariantCulture);

    private sealed class Course(TimeSpan load, TimeSpan idle, Random random) : INativeVisitor<IReadOnlyDictionary<string, double>>
    {
        private readonly Dictionary<string, double> _found = [];
        private readonly Stopwatch _clock = Stopwatch.StartNew();
        private long _before;

        public IReadOnlyDictionary<string, double> Visit<TAllocator>(string name, TAllocator allocator)
            where TAllocator : struct, INativeAllocator
        {
            // What the process is without the load is not the allocator's: every sample is what came on top of it.
            ResidentMemory.Read();
            _before = ResidentMemory.Read();
            using var work = new NativeMemoryLoad<TAllocator>(allocator, Threads, LoadBytes, random);
            SampleFor(load);
            work.Stop();
            _found[IdleFromKey] = _clock.Elapsed.TotalSeconds;
            SampleFor(idle);
            return _found;
        }

        /// <summary>Samples until the duration has passed, and once more then.</summary>
        private void SampleFor(TimeSpan duration)
        {
            TimeSpan end = _clock.Elapsed + duration;
            while (_clock.Elapsed < end)
            {
                Thread.Sleep(s_interval);
                _found[ToText(_clock.Elapsed.TotalSeconds)] = Math.Max(0, ResidentMemory.Read() - _before);
            }
        }
    }
}

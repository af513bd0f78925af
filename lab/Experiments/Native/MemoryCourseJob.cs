using System.Globalization;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Native;

/// <summary>A process's memory through a native load and the time after it: the common part of jobs with different loads.</summary>
internal abstract class MemoryCourseJob : IChildJob
{
    private const string LoadEndKey = "load end";

    public abstract string Name { get; }

    /// <summary>Starts the job. Tarn uses a separate heap with the idle timeout; peers have their own ways to return memory.</summary>
    public MemoryCourse Start(string contender, TimeSpan idleTimeout, TimeSpan load, TimeSpan after, int seed)
    {
        double[] numbers = [idleTimeout.TotalSeconds, load.TotalSeconds, after.TotalSeconds, seed];
        IReadOnlyDictionary<string, double> found = ChildProcess.Run(Name, [contender, .. numbers.Select(ToText)]);
        Point[] points =
        [
            .. found.Where(entry => entry.Key != LoadEndKey)
                .Select(entry => new Point(double.Parse(entry.Key, CultureInfo.InvariantCulture), entry.Value))
                .OrderBy(point => point.X),
        ];
        return new MemoryCourse(contender, points, found[LoadEndKey]);
    }

    public IReadOnlyDictionary<string, double> Run(IReadOnlyList<string> arguments)
    {
        double[] numbers = [.. arguments.Skip(1).Select(argument => double.Parse(argument, CultureInfo.InvariantCulture))];
        var course = new Course(this, TimeSpan.FromSeconds(numbers[1]), TimeSpan.FromSeconds(numbers[2]), (int)numbers[3]);
        if (arguments[0] != NativeNames.TarnHeapInstance)
        {
            return NativeContenders.Find(arguments[0]).Accept(course);
        }

        using var heap = new NativeHeap(new NativeHeapOptions { Name = "lab " + Name, IdleTimeout = TimeSpan.FromSeconds(numbers[0]) });
        return course.Visit(arguments[0], new TarnHeapInstance(heap));
    }

    /// <summary>Runs the load and the time after it, and returns the samples.</summary>
    protected abstract MemorySamples Work<TAllocator>(TAllocator allocator, TimeSpan load, TimeSpan after, int seed)
        where TAllocator : struct, INativeAllocator;

    private static string ToText(double value) => value.ToString(CultureInfo.InvariantCulture);

    private sealed class Course(MemoryCourseJob job, TimeSpan load, TimeSpan after, int seed)
        : INativeVisitor<IReadOnlyDictionary<string, double>>
    {
        public IReadOnlyDictionary<string, double> Visit<TAllocator>(string name, TAllocator allocator)
            where TAllocator : struct, INativeAllocator
        {
            MemorySamples samples = job.Work(allocator, load, after, seed);
            Dictionary<string, double> found = samples.Points.ToDictionary(point => ToText(point.X), point => point.Y);
            found.Add(LoadEndKey, samples.LoadEnd);
            return found;
        }
    }
}

using System.Diagnostics;
using Tarn.Fuzz.Targets;

namespace Tarn.Fuzz;

/// <summary>Runs one target on inputs that it makes from those that took new branches.</summary>
internal sealed class Fuzzing(IFuzzTarget target, InputWatch watch)
{
    private readonly Coverage _coverage = new();
    private readonly List<byte[]> _corpus = [];

    /// <summary>Inputs that were run.</summary>
    internal long Runs { get; private set; }

    /// <summary>Inputs that took new branches.</summary>
    internal int Kept => _corpus.Count;

    /// <summary>Branches that were taken.</summary>
    internal int Branches => _coverage.Branches;

    /// <summary>Runs the seeds, then mutations, until there is a finding or enough was run.</summary>
    internal Finding? Run(FuzzOptions options)
    {
        Random random = new(options.Seed);
        Mutator mutator = new(random);
        foreach (byte[] seed in target.Seeds)
        {
            _corpus.Add(seed);
            if (RunOnce(seed, out _) is { } finding)
            {
                return finding;
            }
        }

        long started = Stopwatch.GetTimestamp();
        while (options.Runs is { } most ? Runs < most : Stopwatch.GetElapsedTime(started).TotalSeconds < options.Seconds)
        {
            byte[] input = mutator.Mutate(_corpus[random.Next(_corpus.Count)], _corpus[random.Next(_corpus.Count)]);
            if (RunOnce(input, out bool isNew) is { } finding)
            {
                return finding;
            }

            if (isNew)
            {
                _corpus.Add(input);
            }
        }

        return null;
    }

    /// <summary>Runs an input. Returns the failure, or null.</summary>
    internal Finding? RunOnce(byte[] input, out bool isNew)
    {
        Runs++;
        watch.Begin(target.Name, input);
        _coverage.Reset();
        long before = GC.GetAllocatedBytesForCurrentThread();
        string? what = null;
        try
        {
            target.Run(input);
        }
        catch (Exception exception) when (target.IsDocumented(exception))
        {
            // Refused as it should be.
        }
#pragma warning disable CA1031 // any other exception is what this program looks for
        catch (Exception exception)
#pragma warning restore CA1031
        {
            what = exception.ToString();
        }

        watch.End();
        isNew = _coverage.HasNew();
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        what ??= allocated > target.MostBytes ? $"it made {allocated:N0} bytes of objects" : null;
        return what is null ? null : new Finding(target.Name, input, what);
    }
}

using Tarn.Lab.Contenders;

namespace Tarn.Lab.Experiments.Servers;

/// <summary>All measurements of the experiment.</summary>
/// <param name="Loads">The loads whose generators are installed.</param>
/// <param name="Memory">The memory of each contender before and after many connections; empty without <c>wrk</c>.</param>
/// <param name="Slow">Slow clients under a cap; they need no generator.</param>
internal sealed record KestrelMeasurements(IReadOnlyList<LoadSamples> Loads, IReadOnlyList<MemoryFound> Memory, SlowFound Slow)
{
    /// <summary>The connections of the load that memory is to recover from.</summary>
    public const int ManyConnections = 1_500;

    /// <summary>The slow clients, and the cap that they would pass twenty times with a large block each.</summary>
    public const int SlowClients = 5_000;
    public const long SlowCap = 16 << 20;

    /// <summary>The time after which memory is to be as before.</summary>
    public static readonly TimeSpan Rest = TimeSpan.FromSeconds(30);

    /// <exception cref="InvalidOperationException">A server or a generator failed; the message contains its output.</exception>
    public static KestrelMeasurements Take(ExperimentContext context)
    {
        using var generator = new LoadGenerator();
        using MemoryRun? memory = LoadGenerator.Serves(ServerProtocol.Http1) ? new MemoryRun(generator) : null;
        ServerLoad[] loads = [.. ServerLoad.All.Where(load => LoadGenerator.Serves(load.Protocol))];
        List<LoadSamples> samples = MeasureLoads(context, generator, loads);
        memory?.Load();
        SlowFound slow = MeasureSlow();
        context.Report(0.85);
        MemoryFound[] found = memory?.Read() ?? [];
        context.Report(1);
        return new KestrelMeasurements(samples, found, slow);
    }

    private static SlowFound MeasureSlow()
    {
        using var server = new ServerProcess($"{ServerNames.ArgumentOf(ServerNames.Tarn)}:{SlowCap}");
        return SlowConnections.Run(server, SlowClients, TimeSpan.FromSeconds(2));
    }

    private static List<LoadSamples> MeasureLoads(ExperimentContext context, LoadGenerator generator, ServerLoad[] loads)
    {
        (int count, TimeSpan time) = context.IsFull ? (11, TimeSpan.FromSeconds(4)) : (3, TimeSpan.FromSeconds(2));
        var rounds = new LoadRounds(generator, count, time, context.CreateRandom());
        (string Name, ServerProcess Server)[] contenders =
            [.. ServerNames.All.Select(name => (name, new ServerProcess(ServerNames.ArgumentOf(name))))];
        try
        {
            List<LoadSamples> samples = [];
            foreach (ServerLoad load in loads)
            {
                samples.Add(rounds.Measure(load, contenders));
                context.Report(0.7 * samples.Count / loads.Length);
            }

            return samples;
        }
        finally
        {
            Array.ForEach(contenders, contender => contender.Server.Dispose());
        }
    }
}

/// <summary>The resident memory of a server.</summary>
/// <param name="Contender">Its memory pool.</param>
/// <param name="IdleBytes">After a small load and a rest.</param>
/// <param name="LoadedBytes">Right after the load of many connections.</param>
/// <param name="AfterBytes">After another rest.</param>
internal sealed record MemoryFound(string Contender, double IdleBytes, double LoadedBytes, double AfterBytes);

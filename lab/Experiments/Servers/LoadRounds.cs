using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Servers;

/// <summary>Loads servers by turns: all of them live through all rounds, and the generator turns to one after the other.</summary>
/// <param name="Generator">The load generator.</param>
/// <param name="Count">The number of rounds.</param>
/// <param name="Time">The time of each.</param>
/// <param name="Random">Decides the order of the servers in each round.</param>
internal sealed record LoadRounds(LoadGenerator Generator, int Count, TimeSpan Time, Random Random)
{
    private static readonly TimeSpan s_warmUp = TimeSpan.FromSeconds(1);

    /// <param name="load">The load.</param>
    /// <param name="contenders">The servers and what the report calls them.</param>
    public LoadSamples Measure(ServerLoad load, IReadOnlyList<(string Name, ServerProcess Server)> contenders)
    {
        foreach ((_, ServerProcess server) in contenders)
        {
            Generator.Run(server, load, s_warmUp);
        }

        var samples = new LoadSamples(load, [.. contenders.Select(contender => contender.Name)], Count);
        foreach ((int round, int contender) in Turns.Take(contenders.Count, Count, Random))
        {
            ServerProcess server = contenders[contender].Server;
            ServerCounters before = server.ReadCounters();
            LoadFound found = Generator.Run(server, load, Time);
            samples.Add(round, contender, found, before, server.ReadCounters());
        }

        return samples;
    }
}

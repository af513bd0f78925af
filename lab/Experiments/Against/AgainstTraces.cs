using Tarn.Lab.Contenders.Against;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Replay;
using Tarn.Traces;

namespace Tarn.Lab.Experiments.Against;

/// <summary>Recorded programs, replayed on every build.</summary>
internal static class AgainstTraces
{
    public static IEnumerable<AgainstRow> Measure(ExperimentContext context)
    {
        IReadOnlyList<string> names = TraceLibrary.Names;
        for (int index = 0; index < names.Count; index++)
        {
            yield return Measure(context, names[index]);
            context.Report((index + 1.0) / names.Count);
        }
    }

    private static AgainstRow Measure(ExperimentContext context, string name)
    {
        Random random = context.CreateRandom();
        BufferTrace trace = TraceLibrary.Read(name);
        var program = new ReplayProgram(trace, random.Next());
        using var crew = new Crew(program.Threads);
        RoundSettings rounds = context.IsFull
            ? new RoundSettings(31, TimeSpan.FromMilliseconds(40))
            : new RoundSettings(11, TimeSpan.FromMilliseconds(8));
        Trial[] trials = [.. Builds.CreatePools().Select(pool => pool.Accept(new Replay(program, crew)))];
        (RoundSamples samples, _) =
            ReplayTimes.Measure(trials, new Replayer<NoPool>("no pool", program, crew, default), rounds, random);
        PoolMemory[] memory =
        [
            .. Builds.CreatePools().Select(pool => pool.Accept(new Memory(program, crew, passes: context.IsFull ? 10 : 2))),
        ];
        return new AgainstRow("traces-" + name, $"Replay of {name}", samples)
        {
            Allocated = [.. memory.Select(static one => one.Allocated)],
            Retained = [.. memory.Select(static one => one.RetainedOfPeak)],
        };
    }

    private sealed class Replay(ReplayProgram program, Crew crew) : IPoolVisitor<Trial>
    {
        public Trial Visit<TPool>(PoolContender contender, TPool pool)
            where TPool : struct, IBytePool => new Replayer<TPool>(contender.Name, program, crew, pool);
    }

    private sealed class Memory(ReplayProgram program, Crew crew, int passes) : IPoolVisitor<PoolMemory>
    {
        public PoolMemory Visit<TPool>(PoolContender contender, TPool pool)
            where TPool : struct, IBytePool => PoolMemory.Measure(program, crew, pool, passes);
    }
}

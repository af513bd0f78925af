using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Streams;

namespace Tarn.Lab.Experiments.Streams;

/// <summary>Trials of stream work for contenders whose types only a visitor knows.</summary>
internal static class StreamTrials
{
    /// <summary>Five streams are one operation.</summary>
    public static Trial Round(StreamContender contender, StreamShape shape, StreamBuffers buffers) =>
        contender.Accept(new RoundVisitor(shape, buffers, operationsPerRound: 1));

    /// <summary>The same, with a stream as the operation.</summary>
    public static Trial Streams(StreamContender contender, StreamShape shape, StreamBuffers buffers) =>
        contender.Accept(new RoundVisitor(shape, buffers, StreamRound.Loops));

    public static Trial Floor(StreamShape shape, StreamBuffers buffers) =>
        new LoopTrial<TwoCopies>(StreamNames.TwoCopies, new(shape, buffers.For(shape, withKept: true)));

    /// <summary>A round without a clock, for BenchmarkDotNet.</summary>
    public static IWork Work(StreamContender contender, StreamShape shape, StreamBuffers buffers) =>
        contender.Accept(new WorkVisitor(shape, buffers));

    /// <summary>Streams of mixed sizes on every thread of a crew.</summary>
    public static Trial Mixed(StreamContender contender, Crew crew) => contender.Accept(new MixedVisitor(crew));

    private sealed class RoundVisitor(StreamShape shape, StreamBuffers buffers, int operationsPerRound) : IStreamVisitor<Trial>
    {
        public Trial Visit<TMaker>(string name, TMaker maker)
            where TMaker : struct, IStreamMaker =>
            new LoopTrial<StreamRound<TMaker>>(name, new(maker, shape, buffers.For(shape)), operationsPerRound);
    }

    private sealed class WorkVisitor(StreamShape shape, StreamBuffers buffers) : IStreamVisitor<IWork>
    {
        public IWork Visit<TMaker>(string name, TMaker maker)
            where TMaker : struct, IStreamMaker => new StreamRound<TMaker>(maker, shape, buffers.For(shape));
    }

    private sealed class MixedVisitor(Crew crew) : IStreamVisitor<Trial>
    {
        private readonly byte[] _source = new byte[MixedStreams<BclStream>.Largest];

        public Trial Visit<TMaker>(string name, TMaker maker)
            where TMaker : struct, IStreamMaker =>
            new CrewTrial<MixedStreams<TMaker>>(name, crew, () => new(maker, _source, new byte[_source.Length]));
    }
}

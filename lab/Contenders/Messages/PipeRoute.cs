using System.Collections.Concurrent;
using System.IO.Pipes;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>Anonymous pipes: one to each reader, and one back where messages are answered. They outlive the route.</summary>
internal sealed class PipeRoute(InheritedPipes pipes, MessageTraffic traffic) : MessageRoute(MessageNames.Pipe, traffic)
{
    private static readonly ConcurrentDictionary<string, PipeStream> s_inherited = new();

    public override string Address { get; } = string.Join(',', [pipes.HandleBack, .. pipes.HandlesThere.Take(traffic.Ways)]);

    public override MessageEnds Connect() => new(
        Traffic.IsAnswered ? [CreateWriter([pipes.Back], Traffic)] : [],
        [.. pipes.There.Take(Traffic.Ways).Select(pipe => CreateReader(pipe, Traffic))]);

    public static MessageEnds OpenEnds(string address, MessageTraffic traffic)
    {
        string[] handles = address.Split(',');
        return new(
            [CreateWriter([.. handles.Skip(1).Select(static handle => Inherit(handle, PipeDirection.Out))], traffic)],
            traffic.IsAnswered ? [CreateReader(Inherit(handles[0], PipeDirection.In), traffic)] : []);
    }

    public override void Dispose()
    {
    }

    private static PipeStream Inherit(string handle, PipeDirection direction) =>
        s_inherited.GetOrAdd(handle, static (name, way) => new AnonymousPipeClientStream(way, name), direction);

    private static MessageWriter CreateWriter(PipeStream[] pipes, MessageTraffic traffic) => FanOut<FrameSender<PipePort>>.CreateWriter(
        [.. pipes.Select(pipe => new FrameSender<PipePort>(new(pipe), traffic.Length))], traffic.Length, []);

    private static BlockingReader<FrameReceiver<PipePort>> CreateReader(PipeStream pipe, MessageTraffic traffic) =>
        new(new(new(pipe), traffic.Length));
}

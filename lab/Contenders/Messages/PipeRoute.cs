using System.IO.Pipes;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>Two anonymous pipes, one for each direction, whose other ends the other process inherits.</summary>
internal sealed class PipeRoute : MessageRoute
{
    private readonly AnonymousPipeServerStream _there = new(PipeDirection.Out, HandleInheritability.Inheritable, BufferSize);
    private readonly AnonymousPipeServerStream _back = new(PipeDirection.In, HandleInheritability.Inheritable, BufferSize);

    public PipeRoute()
        : base(MessageNames.Pipe)
    {
        Address = $"{_there.GetClientHandleAsString()},{_back.GetClientHandleAsString()}";
    }

    public override string Address { get; }

    public override MessageEnd Connect()
    {
        // Without this, the end of the other process would not end the pipe.
        _there.DisposeLocalCopyOfClientHandle();
        _back.DisposeLocalCopyOfClientHandle();
        return CreateEnd(_there, _back);
    }

    public static MessageEnd OpenEnd(string address) =>
        address.Split(',') is [var there, var back]
            ? CreateEnd(new AnonymousPipeClientStream(PipeDirection.Out, back), new AnonymousPipeClientStream(PipeDirection.In, there))
            : throw new InvalidDataException($"{address} does not name two pipes.");

    public override void Dispose()
    {
        _there.Dispose();
        _back.Dispose();
    }

    private static MessageEnd<FrameSender<PipePort>, FrameReceiver<PipePort>> CreateEnd(PipeStream to, PipeStream from) =>
        new(new(new(to)), new(new(from)), to, from);
}

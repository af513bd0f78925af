using System.IO.Pipes;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>
/// Anonymous pipes, whose other ends a process inherits that is started later: as many from it as there are readers at most, and one back.
/// </summary>
internal sealed class InheritedPipes : IDisposable
{
    public const int MostReaders = 4;

    private readonly AnonymousPipeServerStream[] _there =
    [
        .. Enumerable.Range(0, MostReaders).Select(
            static _ => new AnonymousPipeServerStream(PipeDirection.In, HandleInheritability.Inheritable, MessageTraffic.UsualBytes)),
    ];

    private readonly AnonymousPipeServerStream _back =
        new(PipeDirection.Out, HandleInheritability.Inheritable, MessageTraffic.UsualBytes);

    public InheritedPipes()
    {
        HandlesThere = [.. _there.Select(static pipe => pipe.GetClientHandleAsString())];
        HandleBack = _back.GetClientHandleAsString();
    }

    public IReadOnlyList<PipeStream> There => _there;

    public PipeStream Back => _back;

    /// <summary>For the other process.</summary>
    public IReadOnlyList<string> HandlesThere { get; }

    public string HandleBack { get; }

    /// <summary>The other process runs and has its ends. Without this, its end would not end the pipes.</summary>
    public void WereInherited()
    {
        Array.ForEach(_there, static pipe => pipe.DisposeLocalCopyOfClientHandle());
        _back.DisposeLocalCopyOfClientHandle();
    }

    public void Dispose()
    {
        Array.ForEach(_there, static pipe => pipe.Dispose());
        _back.Dispose();
    }
}

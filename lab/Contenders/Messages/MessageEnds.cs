namespace Tarn.Lab.Contenders.Messages;

/// <summary>
/// What one of the processes has of a route: the writers or the readers, and where messages are answered, one of the other kind, too.
/// </summary>
internal sealed record MessageEnds(IReadOnlyList<MessageWriter> Writers, IReadOnlyList<MessageReader> Readers) : IDisposable
{
    public void Dispose()
    {
        foreach (IDisposable one in (IEnumerable<IDisposable>)[.. Writers, .. Readers])
        {
            one.Dispose();
        }
    }
}

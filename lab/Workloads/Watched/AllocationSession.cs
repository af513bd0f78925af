using Tarn.Traces;

namespace Tarn.Lab.Workloads.Watched;

/// <summary>
/// A session that samples the allocations of another process, as <c>tarn candidates</c> and <c>tarn profile</c> do. The events are read and
/// thrown away.
/// </summary>
internal sealed class AllocationSession : IDisposable
{
    private const int BufferMegabytes = 256;

    private readonly IEventSession _session;
    private readonly Thread _reader;

    private AllocationSession(IEventSession session)
    {
        _session = session;
        _reader = new Thread(Read) { IsBackground = true };
        _reader.Start();
    }

    /// <summary>Begins a session.</summary>
    /// <param name="process">The process, which runs on .NET 10 or later.</param>
    /// <param name="isFollowed">Whether the sampled objects can be followed through collections.</param>
    public static AllocationSession Start(int process, bool isFollowed) => new(new AttachedProcess(process).Start(
        new AllocationEvents(isRandom: true, isFollowed).Providers(), withStacks: true, BufferMegabytes));

    /// <inheritdoc/>
    public void Dispose()
    {
        _session.Stop();
        _reader.Join();
        _session.Dispose();
    }

    private void Read()
    {
        var buffer = new byte[1 << 20];
        while (_session.Events.Read(buffer) > 0)
        {
        }
    }
}

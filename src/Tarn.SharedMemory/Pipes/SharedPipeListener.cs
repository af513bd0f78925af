namespace Tarn.SharedMemory;

/// <summary>Accepts connections of other processes at a name, each over two rings of its own.</summary>
/// <remarks>
/// <para>The name is that of a <see cref="SharedQueue"/>, to which clients write the names of the rings they created. So clients and
/// listener need no socket and no thread that waits. 128 clients can wait to be accepted; more wait until one of those was, and try up to
/// 20 times a second.</para>
/// <para>All members are safe to call from any thread. <see cref="Dispose"/> is safe beside any call.</para>
/// </remarks>
public sealed class SharedPipeListener : IDisposable
{
    /// <summary>The connections that may wait for <see cref="AcceptAsync"/>.</summary>
    private const int Backlog = 128;

    private readonly SharedQueue _queue;
    private readonly SharedTopic _refusals;
    private readonly SharedPipeOptions? _options;
    private readonly Lock _refusing = new();

    private SharedPipeListener(SharedQueue queue, SharedTopic refusals, SharedPipeOptions? options)
    {
        (_queue, _refusals, _options) = (queue, refusals, options);
    }

    /// <summary>
    /// Occurs when the listener cannot accept a client: the system gives this process no more files or memory, or the client belongs to a
    /// user who may not connect. The client gets an <see cref="IOException"/> with the same message, and the listener goes on.
    /// </summary>
    /// <remarks>It occurs inside <see cref="AcceptAsync"/>, whose caller gets the exceptions of handlers.</remarks>
    public event EventHandler<Exception>? Refused;

    /// <summary>The name to connect to.</summary>
    public string Name => _queue.Name;

    /// <summary>Begins to listen at a name. A listener of that name whose process has ended gives the name up.</summary>
    /// <param name="name">A name by the rules of <see cref="SharedRegion"/>, of at most 100 characters.</param>
    /// <param name="options">The users who may connect, and where tasks continue; null for this user.</param>
    /// <returns>The listener. The caller must dispose it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is not a valid name, or has more than 100 characters.</exception>
    /// <exception cref="IOException">
    /// The name is in use, the system lacks the shared memory, or the system refuses for another reason.
    /// </exception>
    /// <exception cref="UnauthorizedAccessException">The system denies the process access.</exception>
    public static SharedPipeListener Create(string name, SharedPipeOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(name);
        const int most = 100;
        if (name.Length > most)
        {
            throw new ArgumentException(
                $"The name \"{name}\" has {name.Length} characters, and that of a listener at most {most}: its connections add to it.",
                nameof(name));
        }

        SharedRegionOptions? own = options?.Creation;
        _ = SharedRegion.DeleteAbandoned(NamedMemory.Current, name, RegionKind.Queue);
        SharedQueue queue = SharedQueue.Create(name, Backlog, PipeRequest.MostBytes, own);
        queue.AllowSynchronousContinuations = options is { AllowSynchronousContinuations: true };
        try
        {
            return new SharedPipeListener(queue, PipeRefusals.Create(name, own), options);
        }
        catch
        {
            queue.Dispose();
            throw;
        }
    }

    /// <summary>Waits for the next connection, without holding a thread. Clients that cannot be accepted are passed over.</summary>
    /// <param name="cancellationToken">Cancels the wait. No connection is lost.</param>
    /// <returns>The connection. The caller must dispose it.</returns>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    /// <exception cref="InvalidDataException">
    /// Another process spoiled the queue of the listener. Nobody can connect any more: dispose the listener, and create another one.
    /// </exception>
    /// <exception cref="OutOfMemoryException">The system cannot start a thread that waits. The listener remains.</exception>
    /// <exception cref="ObjectDisposedException">The listener was disposed.</exception>
    public async ValueTask<SharedPipe> AcceptAsync(CancellationToken cancellationToken = default)
    {
        byte[] request = new byte[PipeRequest.MostBytes];
        while (true)
        {
            await _queue.WaitToReadAsync(cancellationToken).ConfigureAwait(false);
            if (_queue.TryRead(request, out int length)
                && PipeRequest.TryAccept(Name, request.AsSpan(0, length), _options, Refuse) is { } pipe)
            {
                return pipe;
            }
        }
    }

    /// <summary>Ends the listening. Clients that were not accepted get an <see cref="IOException"/>; accepted ones remain.</summary>
    public void Dispose()
    {
        try
        {
            _queue.Dispose();
        }
        finally
        {
            _refusals.Dispose();
        }
    }

    private void Refuse(string id, Exception reason)
    {
        using (_refusing.Hold())
        {
            PipeRefusals.Tell(_refusals, id, reason.Message);
        }

        Refused?.Invoke(this, reason);
    }
}

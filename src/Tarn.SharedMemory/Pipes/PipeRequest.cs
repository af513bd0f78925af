using System.Buffers;
using System.Security.Cryptography;
using System.Text;

namespace Tarn.SharedMemory;

/// <summary>
/// The handshake of a connection. The client creates two rings, takes its roles, and writes their common name to the listener's queue. The
/// listener opens the rings, takes its roles, removes the names, and writes a greeting, which is no part of the connection's bytes. If it
/// cannot, it writes why to its topic (<see cref="PipeRefusals"/>).
/// </summary>
/// <remarks>
/// <para>Either side takes its roles before it looks whether the other one runs, so an exit before that is seen there, and a later one is
/// reported by the rings.</para>
/// <para>A client has the queue open only while it writes its name. So any number of clients may wait, though a queue has few
/// members.</para>
/// </remarks>
internal sealed class PipeRequest : IDisposable
{
    /// <summary>The length of the longest request, which is a ring's name without its suffix.</summary>
    internal const int MostBytes = RegionNames.MostCharacters;

    /// <summary>The random characters of a connection's name.</summary>
    internal const int IdCharacters = 16;

    /// <summary>How often a waiting client looks whether the listener is there, and whether it refused.</summary>
    private const int MillisecondsBetweenLooks = 200;

    /// <summary>The longest time between two tries to write to a queue that is full, or has as many members as it can.</summary>
    private const int MostMillisecondsBetweenTries = 50;

    private const string ToListener = ".up";
    private const string ToClient = ".down";

    private static readonly SearchValues<char> s_hex = SearchValues.Create("0123456789abcdef");

    /// <summary>A version of what the connection's bytes are, so that a later one is refused.</summary>
    private static ReadOnlySpan<byte> Greeting => "Tarn 1"u8;

    private readonly string _listener;
    private readonly string _id;
    private readonly SharedPipeOptions? _options;
    private readonly SharedRing _output;
    private readonly SharedRing _input;
    private readonly PipeRefusals _refusals;

    /// <summary>The queue, until the request is written.</summary>
    private SharedQueue? _queue;
    private Guid _queueId;
    private bool _isAccepted;

    internal PipeRequest(string listener, int capacity, SharedPipeOptions? options)
    {
        (_listener, _options) = (listener, options);
        _id = RandomNumberGenerator.GetHexString(IdCharacters, lowercase: true);
        SharedRegionOptions? own = options?.Creation;
        _queue = TryOpen();
        SharedRing? output = null;
        try
        {
            _refusals = new PipeRefusals(listener, _id, SharedPipeOptions.AllowsOthers(options));
            _output = output = SharedPipeOptions.Apply(options, SharedRing.Create(Name + ToListener, capacity, own));
            output.AttachWriter();
            _input = SharedPipeOptions.Apply(options, SharedRing.Create(Name + ToClient, capacity, own));
            _input.AttachReader();
        }
        catch
        {
            output?.Dispose();
            _input?.Dispose();
            _refusals?.Dispose();
            _queue?.Dispose();
            throw;
        }
    }

    private string Name => $"{_listener}.{_id}";

    /// <inheritdoc/>
    public void Dispose()
    {
        _queue?.Dispose();
        _refusals.Dispose();
        if (!_isAccepted)
        {
            _output.Dispose();
            _input.Dispose();
        }
    }

    /// <summary>Opens the rings of a request; null if it is none, the client is gone, or this process cannot open them.</summary>
    /// <param name="listener">The listener's name.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">The users who may be at the other side.</param>
    /// <param name="refuse">Tells the client of that id why it is refused, while it waits.</param>
    internal static SharedPipe? TryAccept(
        string listener, ReadOnlySpan<byte> request, SharedPipeOptions? options, Action<string, Exception> refuse)
    {
        string name = Encoding.ASCII.GetString(request);
        if (name.Length != listener.Length + 1 + IdCharacters || !name.StartsWith(listener + ".", StringComparison.Ordinal)
            || name.AsSpan(listener.Length + 1).ContainsAnyExcept(s_hex))
        {
            return null;
        }

        SharedRing? input = null;
        SharedRing? output = null;
        try
        {
            input = SharedPipeOptions.Apply(options, SharedRing.Open(name + ToListener, SharedPipeOptions.AllowsOthers(options)));
            output = SharedPipeOptions.Apply(options, SharedRing.Open(name + ToClient, SharedPipeOptions.AllowsOthers(options)));
            input.AttachReader();
            output.AttachWriter();
            bool isThere = input.WriterProcessId != 0 && output.ReaderProcessId != 0;
            SharedRegion.Delete(input.Name);
            SharedRegion.Delete(output.Name);
            if (isThere && output.TryWrite(Greeting))
            {
                SharedPipe pipe = new(input, output);
                (input, output) = (null, null);
                return pipe;
            }
        }
        catch (FileNotFoundException e) when (e.FileName?.StartsWith(name, StringComparison.Ordinal) == true)
        {
            // The client has gone with its rings. A process without files may lack others.
        }
        catch (Exception e) when (e is IOException or InvalidDataException or UnauthorizedAccessException or InvalidOperationException
            or OutOfMemoryException)
        {
            refuse(name[^IdCharacters..], e);
        }
        finally
        {
            input?.Dispose();
            output?.Dispose();
        }

        return null;
    }

    internal async ValueTask<SharedPipe> SendAsync(CancellationToken cancellationToken)
    {
        byte[] request = Encoding.ASCII.GetBytes(Name);
        for (int milliseconds = 1; !TryWrite(request); milliseconds = Math.Min(2 * milliseconds, MostMillisecondsBetweenTries))
        {
            await Task.Delay(milliseconds, cancellationToken).ConfigureAwait(false);
        }

        await AwaitAnswerAsync(cancellationToken).ConfigureAwait(false);
        byte[] answer = new byte[_input.MaxMessageLength];
        if (!_input.TryRead(answer, out int length) || !answer.AsSpan(0, length).SequenceEqual(Greeting))
        {
            throw new InvalidDataException(
                $"The listener at \"{_listener}\" answered {length} bytes that are no greeting of this version of Tarn.");
        }

        SharedPipe pipe = new(_input, _output);
        _isAccepted = true;
        return pipe;
    }

    /// <summary>Opens the listener's queue; null if as many as can be have it open at this moment.</summary>
    /// <exception cref="FileNotFoundException">Nobody listens.</exception>
    private SharedQueue? TryOpen()
    {
        try
        {
            SharedQueue queue = SharedQueue.Open(_listener, SharedPipeOptions.AllowsOthers(_options));
            _queueId = queue.Id;
            return queue;
        }
        catch (InvalidOperationException)
        {
            return null;
        }
        catch (FileNotFoundException e)
        {
            throw new FileNotFoundException(
                $"Nobody listens at \"{_listener}\". Create a {nameof(SharedPipeListener)} of that name first.", _listener, e);
        }
    }

    /// <summary>Writes the request, and lets go of the queue.</summary>
    /// <returns>False if the listener is to accept others first.</returns>
    private bool TryWrite(byte[] request)
    {
        using SharedQueue? queue = _queue ?? TryOpen();
        _queue = null;
        return queue is not null && queue.TryWrite(request);
    }

    /// <summary>Waits for the answer as long as the listener is there, and has not refused.</summary>
    private async ValueTask AwaitAnswerAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            using CancellationTokenSource soon = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            soon.CancelAfter(MillisecondsBetweenLooks);
            try
            {
                await _input.WaitToReadAsync(soon.Token).ConfigureAwait(false);
                return;
            }
            catch (OperationCanceledException) when (soon.IsCancellationRequested)
            {
                cancellationToken.ThrowIfCancellationRequested();
                _refusals.ThrowIfRefused();
            }
            catch (SharedPeerLostException)
            {
                _refusals.ThrowIfRefused();
                throw;
            }

            if (!RegionFile.HasOwner(_listener, _queueId))
            {
                throw new IOException($"The listener at \"{_listener}\" ended before it accepted the connection. Connect again.");
            }
        }
    }
}

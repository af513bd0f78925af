using System.Buffers;
using System.Security.Cryptography;
using System.Text;

namespace Tarn;

/// <summary>
/// The handshake of a connection. The client creates two rings, takes its roles, and writes their common name to the listener's queue. The
/// listener opens the rings, takes its roles, removes the names, and writes a greeting, which is no part of the connection's bytes.
/// </summary>
/// <remarks>
/// Either side takes its roles before it looks whether the other one runs, so an exit before that is seen there, and a later one is
/// reported by the rings.
/// </remarks>
internal sealed class PipeRequest : IDisposable
{
    /// <summary>The length of the longest request, which is a ring's name without its suffix.</summary>
    internal const int MostBytes = RegionNames.MostCharacters;

    /// <summary>How often a waiting client looks whether the listener is there.</summary>
    private const int MillisecondsBetweenLooks = 200;

    private const string ToListener = ".up";
    private const string ToClient = ".down";

    private static readonly SearchValues<char> s_hex = SearchValues.Create("0123456789abcdef");

    /// <summary>A version of what the connection's bytes are, so that a later one is refused.</summary>
    private static ReadOnlySpan<byte> Greeting => "Tarn 1"u8;

    private readonly string _listener;
    private readonly string _name;
    private readonly SharedQueue _queue;
    private readonly SharedRing _output;
    private readonly SharedRing _input;
    private bool _isAccepted;

    internal PipeRequest(string listener, int capacity, SharedRegionOptions? options)
    {
        _listener = listener;
        _name = $"{listener}.{RandomNumberGenerator.GetHexString(16, lowercase: true)}";
        SharedRegionOptions own = (options ?? new SharedRegionOptions()) with { DeleteOnDispose = true, AwaitsSuccessor = false };
        try
        {
            _queue = SharedQueue.Open(listener, options);
        }
        catch (FileNotFoundException e)
        {
            throw new FileNotFoundException(
                $"Nobody listens at \"{listener}\". Create a {nameof(SharedPipeListener)} of that name first.", listener, e);
        }

        SharedRing? output = null;
        try
        {
            _output = output = SharedRing.Create(_name + ToListener, capacity, own);
            output.AttachWriter();
            _input = SharedRing.Create(_name + ToClient, capacity, own);
            _input.AttachReader();
        }
        catch
        {
            output?.Dispose();
            _input?.Dispose();
            _queue.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _queue.Dispose();
        if (!_isAccepted)
        {
            _output.Dispose();
            _input.Dispose();
        }
    }

    /// <summary>Opens the rings of a request; null if it is none, or the client is gone.</summary>
    internal static SharedPipe? TryAccept(string listener, ReadOnlySpan<byte> request, SharedRegionOptions? options)
    {
        string name = Encoding.ASCII.GetString(request);
        if (name.Length != listener.Length + 17 || !name.StartsWith(listener + ".", StringComparison.Ordinal)
            || name.AsSpan(listener.Length + 1).ContainsAnyExcept(s_hex))
        {
            return null;
        }

        SharedRing? input = null;
        SharedRing? output = null;
        try
        {
            input = SharedRing.Open(name + ToListener, options);
            output = SharedRing.Open(name + ToClient, options);
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
        catch (Exception e) when (e is IOException or InvalidDataException or UnauthorizedAccessException or InvalidOperationException)
        {
            // The client has gone with its rings, or they are not what it says. It hears nothing, as nobody else does.
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
        byte[] request = Encoding.ASCII.GetBytes(_name);
        while (!_queue.TryWrite(request))
        {
            await WaitAsync(_queue.WaitToWriteAsync, cancellationToken).ConfigureAwait(false);
        }

        await WaitAsync(_input.WaitToReadAsync, cancellationToken).ConfigureAwait(false);
        byte[] answer = new byte[_input.MaxMessageLength];
        if (!_input.TryRead(answer, out int length) || !answer.AsSpan(0, length).SequenceEqual(Greeting))
        {
            throw new InvalidDataException(
                $"The listener at \"{_listener}\" answered {length} bytes that are no greeting of this version of Tarn.");
        }

        _isAccepted = true;
        return new SharedPipe(_input, _output);
    }

    /// <summary>Waits as long as the listener is there.</summary>
    private async ValueTask WaitAsync(Func<CancellationToken, ValueTask<bool>> wait, CancellationToken cancellationToken)
    {
        while (true)
        {
            using CancellationTokenSource soon = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            soon.CancelAfter(MillisecondsBetweenLooks);
            try
            {
                await wait(soon.Token).ConfigureAwait(false);
                return;
            }
            catch (OperationCanceledException) when (soon.IsCancellationRequested)
            {
                cancellationToken.ThrowIfCancellationRequested();
            }

            if (!_queue.HasOwner)
            {
                throw new IOException($"The listener at \"{_listener}\" ended before it accepted the connection. Connect again.");
            }
        }
    }
}

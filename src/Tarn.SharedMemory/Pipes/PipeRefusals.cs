using System.Text;

namespace Tarn.SharedMemory;

/// <summary>
/// Why a listener refused clients: a topic beside its queue, which the listener has open from the beginning. So it can say so even when the
/// system gives it no more files or memory, or the client's rings are not to be opened.
/// </summary>
/// <remarks>A message is the id of the request and the reason. This is the client's side of it.</remarks>
internal sealed class PipeRefusals : IDisposable
{
    /// <summary>The refusals that wait to be heard. A client that looks too late knows that it may be one of those that are lost.</summary>
    private const int Capacity = 128;

    private const int MostBytes = 512;

    private readonly string _listener;
    private readonly string _id;
    private readonly bool _allowOtherUsers;
    private readonly byte[] _bytes = new byte[MostBytes];
    private SharedTopic? _topic;
    private SharedTopicReader? _reader;

    internal PipeRefusals(string listener, string id, bool allowOtherUsers)
    {
        (_listener, _id, _allowOtherUsers) = (listener, id, allowOtherUsers);
        TryOpen(fromOldest: false);
    }

    /// <inheritdoc/>
    public void Dispose() => _topic?.Dispose();

    internal static string NameOf(string listener) => listener + ".refused";

    /// <summary>Creates the listener's side.</summary>
    internal static SharedTopic Create(string listener, SharedRegionOptions? options)
    {
        _ = SharedRegion.DeleteAbandoned(NamedMemory.Current, NameOf(listener), RegionKind.Topic);
        return SharedTopic.Create(NameOf(listener), Capacity, MostBytes, options);
    }

    /// <summary>Tells a client. One whose topic others spoiled hears nothing.</summary>
    internal static void Tell(SharedTopic topic, string id, string reason)
    {
        byte[] message = new byte[MostBytes];
        Encoding.UTF8.GetEncoder().Convert(id + reason, message, flush: true, out _, out int length, out _);
        try
        {
            topic.TryWrite(message.AsSpan(0, length));
        }
        catch (Exception e) when (e is InvalidDataException or ObjectDisposedException)
        {
            // Nobody can tell it. It hears so when the listener ends.
        }
    }

    /// <exception cref="IOException">The listener refused this client.</exception>
    internal void ThrowIfRefused()
    {
        if (_reader is null)
        {
            TryOpen(fromOldest: true);
        }

        try
        {
            while (_reader is not null && _reader.TryRead(_bytes, out int length))
            {
                string text = Encoding.UTF8.GetString(_bytes, 0, length);
                if (text.StartsWith(_id, StringComparison.Ordinal))
                {
                    throw Refused(string.Concat(text.Skip(_id.Length).Select(static one => char.IsControl(one) ? '?' : one)));
                }
            }
        }
        catch (InvalidDataException e)
        {
            throw Refused($"what it says of that is spoiled. {e.Message}");
        }

        if (_reader is { LostCount: > 0 })
        {
            throw Refused($"it refuses more than {Capacity} clients at once, and said of too many why. Connect again.");
        }
    }

    private IOException Refused(string reason) => new($"The listener at \"{_listener}\" refused the connection: {reason}");

    /// <summary>Opens the topic. A listener that has none yet, or is of an earlier version, refuses in silence.</summary>
    private void TryOpen(bool fromOldest)
    {
        try
        {
            _topic ??= SharedTopic.Open(NameOf(_listener), _allowOtherUsers);
            _reader = _topic.OpenReader(fromOldest);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            // The wait ends with the listener, or with the caller's patience.
        }
    }
}

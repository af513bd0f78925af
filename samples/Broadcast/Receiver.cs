using Tarn;

namespace Samples;

/// <summary>One of many that get each message: a queue of slices, and what it has read.</summary>
internal sealed class Receiver
{
    private readonly Queue<CountedSlice<byte>> _messages = new();

    /// <summary>The bytes read so far.</summary>
    internal long Bytes { get; private set; }

    /// <summary>The sum of all bytes read so far, to compare with what was sent.</summary>
    internal long Sum { get; private set; }

    /// <summary>Takes a slice over, which this receiver disposes.</summary>
    internal void Post(CountedSlice<byte> message) => _messages.Enqueue(message);

    /// <summary>Reads what was posted. Each slice ends here; the last of all receivers' slices returns the message's buffer.</summary>
    internal void ReadAll()
    {
        while (_messages.TryDequeue(out CountedSlice<byte> message))
        {
            using (message)
            {
                foreach (byte value in message.Span)
                {
                    Sum += value;
                }

                Bytes += message.Length;
            }
        }
    }
}

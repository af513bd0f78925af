using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>The log of a queue's writers and readers, message by message, in a region of its own that outlives killed processes.</summary>
internal sealed unsafe class QueueLog : IDisposable
{
    internal const int MostGenerations = 1 << 11;

    /// <summary>A writer stops after so many, and waits for its end.</summary>
    internal const int MostMessages = 1 << 12;

    /// <summary>The longest message that a reader can copy into the log.</summary>
    internal const int LongestCopy = 512;

    /// <summary>Numbers of messages that all have room for their number.</summary>
    private const int Stride = 4;

    private const long CopiesOffset = MostGenerations * ((2L * sizeof(long)) + MostMessages);

    private readonly SharedRegion _region;

    private QueueLog(SharedRegion region) => _region = region;

    internal static QueueLog Create(string name) => new(SharedRegion.Create(
        NameOf(name), CopiesOffset + (MostGenerations * (long)LongestCopy)));

    internal static QueueLog Open(string name) => new(SharedRegion.Open(NameOf(name)));

    internal static ulong NumberOf(long generation, long index) => RingMessage.NumberOf(generation, index * Stride);

    internal static byte[] Message(long generation, long index, int longest) =>
        RingMessage.Create(NumberOf(generation, index), longest);

    /// <summary>The generation of a message's writer and its index.</summary>
    /// <exception cref="InvalidDataException">It is torn.</exception>
    internal static (long Generation, long Index) Identify(ReadOnlySpan<byte> message, int longest)
    {
        ulong number = RingMessage.Told(message) ?? 1;
        return number % Stride == 0 && RingMessage.Is(message, number, longest)
            ? (RingMessage.GenerationOf(number), RingMessage.IndexOf(number) / Stride)
            : throw new InvalidDataException(
                $"A message of {message.Length} bytes is torn: {Convert.ToHexString(message[..Math.Min(message.Length, 64)])}");
    }

    /// <summary>How many messages the writer of a generation had written at its last report.</summary>
    internal ref long Written(long generation) => ref CountsOf(generation)[0];

    /// <summary>How many messages it had begun; updated before each message.</summary>
    internal ref long Begun(long generation) => ref CountsOf(generation)[1];

    /// <summary>How often a message was read; only the reader that has the message changes it.</summary>
    internal ref byte Reads(long generation, long index) =>
        ref _region.Pointer[(MostGenerations * 2L * sizeof(long)) + (generation * MostMessages) + index];

    /// <summary>
    /// Where a reader copies a message to, which passes it: so one that is killed before it has noted the message takes none along.
    /// </summary>
    internal Span<byte> CopyOf(long reader) =>
        _region.GetSpan(CopiesOffset + (checked((int)reader) % MostGenerations * (long)LongestCopy), LongestCopy);

    /// <summary>Notes that a message was read, before it is passed or while it is in the log.</summary>
    /// <exception cref="InvalidDataException">It is torn, or nobody began to write it.</exception>
    internal void Note(ReadOnlySpan<byte> message, int longest)
    {
        (long generation, long index) = Identify(message, longest);
        if (generation >= MostGenerations || index >= Volatile.Read(ref Begun(generation)))
        {
            throw new InvalidDataException($"Message {index} of writer {generation} came, and nobody began to write it.");
        }

        Reads(generation, index)++;
    }

    /// <summary>
    /// Fails unless every message that was written was read, or is what a killed reader had copied, and none was read that was not begun.
    /// Returns how many, and how often one came again.
    /// </summary>
    internal (long Messages, long Again) Verify(long generations, long readers, int longest)
    {
        HashSet<(long, long)> copied =
            [.. Enumerable.Range(0, (int)readers).Select(reader => Copied(reader, longest)).OfType<(long, long)>()];
        (long messages, long again) = (0, 0);
        for (long generation = 0; generation < generations; generation++)
        {
            for (long index = 0; index < MostMessages; index++)
            {
                int reads = Reads(generation, index);
                if (index < Written(generation) && reads == 0 && !copied.Contains((generation, index)))
                {
                    throw new InvalidDataException(
                        $"Message {index} of writer {generation}, which wrote {Written(generation)}, was never read.");
                }

                if (index >= Begun(generation) && reads > 0)
                {
                    throw new InvalidDataException($"Message {index} of writer {generation} was read, and it began {Begun(generation)}.");
                }

                messages += reads > 0 ? 1 : 0;
                again += Math.Max(0, reads - 1);
            }
        }

        return (messages, again);
    }

    /// <summary>The message that a reader had copied; null if there is none, or the reader was killed while it copied.</summary>
    private (long Generation, long Index)? Copied(long reader, int longest)
    {
        ReadOnlySpan<byte> copy = CopyOf(reader);
        ulong number = RingMessage.Told(copy) ?? 0;
        return RingMessage.Is(copy[..RingMessage.LengthOf(number, longest)], number, longest)
            ? (RingMessage.GenerationOf(number), RingMessage.IndexOf(number) / Stride)
            : null;
    }

    public void Dispose() => _region.Dispose();

    private long* CountsOf(long generation) => (long*)_region.Pointer + (checked((int)generation) % MostGenerations * 2);

    private static string NameOf(string queue) => queue + ".log";
}

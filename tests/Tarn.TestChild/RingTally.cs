namespace Tarn.TestChild;

/// <summary>
/// Looks at every message that a reader gets: it must be the one behind the last, of the same generation or the first of a later one, when
/// nothing that a writer logged as written lies between.
/// </summary>
/// <param name="log">The writers' log, and the position where the last reader stopped.</param>
/// <param name="longest">The ring's longest message.</param>
/// <remarks>
/// Readers that were killed may have passed a message each and not logged it, so as many may be missing before the first.
/// </remarks>
internal sealed class RingTally(RingLog log, int longest)
{
    /// <summary>The number of the last message plus 1; 0 before the first.</summary>
    private ulong _passed = log.Passed;
    private long _mayMiss = (long)log.Unlogged;

    internal long Messages { get; private set; }

    /// <summary>Looks at the next message.</summary>
    /// <exception cref="InvalidDataException">It is not the next one.</exception>
    internal void Take(ReadOnlySpan<byte> message)
    {
        ulong number = NumberOf(message);
        long missing = MissingBefore(number);
        if (missing < 0 || missing > _mayMiss)
        {
            throw new InvalidDataException($"Message {number:x} came after {_passed - 1:x}: {missing} are missing.");
        }

        long begun = Volatile.Read(ref log.Begun(RingMessage.GenerationOf(number)));
        if (RingMessage.IndexOf(number) >= begun)
        {
            throw new InvalidDataException($"Message {number:x} came, and its writer has begun {begun} messages.");
        }

        _passed = number + 1;
        _mayMiss = 0;
        Messages++;
    }

    /// <summary>Before the first message of a reader that is to be killed.</summary>
    internal void Begin() => log.Unlogged++;

    /// <summary>Logs the messages taken as passed.</summary>
    internal void Log()
    {
        log.Passed = _passed;
        log.Unlogged = 1;
    }

    /// <summary>Fails unless all is taken that a writer logged as written.</summary>
    internal void VerifyEnd(long generation)
    {
        long missing = MissingBefore(RingMessage.NumberOf(generation + 1, 0));
        if (missing > _mayMiss)
        {
            throw new InvalidDataException($"{missing} messages after {_passed - 1:x} were written and are not there.");
        }
    }

    private ulong NumberOf(ReadOnlySpan<byte> message)
    {
        ulong number = RingMessage.Told(message) ?? NumberOfShort(message);
        return RingMessage.Is(message, number, longest)
            ? number
            : throw new InvalidDataException(
                $"A message of {message.Length} bytes after {_passed - 1:x} is torn: "
                    + $"{Convert.ToHexString(message[..Math.Min(message.Length, 64)])}");
    }

    /// <summary>A message too short for its number counts as the first it can be.</summary>
    private ulong NumberOfShort(ReadOnlySpan<byte> message)
    {
        ulong number = _passed;
        while (number < _passed + (ulong)_mayMiss && !RingMessage.Is(message, number, longest))
        {
            number++;
        }

        return number;
    }

    /// <summary>How many messages were logged as written between the last one and this one; negative when it came before.</summary>
    private long MissingBefore(ulong number)
    {
        (long generation, long index) = (RingMessage.GenerationOf(number), RingMessage.IndexOf(number));
        long last = RingMessage.GenerationOf(_passed);
        if (generation == last)
        {
            return index - RingMessage.IndexOf(_passed);
        }

        long missing = index + Math.Max(0, Volatile.Read(ref log.Written(last)) - RingMessage.IndexOf(_passed));
        for (long between = last + 1; between < generation; between++)
        {
            missing += Volatile.Read(ref log.Written(between));
        }

        return generation < last ? -1 : missing;
    }
}

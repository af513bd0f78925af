using Tarn.SharedMemory;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>
/// Where the sender of single messages waits until every reader has passed the last one, so that no message waits behind another. It is no
/// part of the contender: a word in shared memory for each reader, far from the others.
/// </summary>
internal sealed class MessageGate : IDisposable
{
    private const int Distance = 128;

    private readonly SharedRegion _region;

    private MessageGate(SharedRegion region) => _region = region;

    public string Name => _region.Name;

    public static MessageGate Create(int readers) =>
        new(SharedRegion.Create($"tarn-lab-{Guid.NewGuid():N}", readers * Distance));

    public static MessageGate Open(string name) => new(SharedRegion.Open(name));

    /// <summary>Before the first message.</summary>
    public void Reset(int readers)
    {
        for (int reader = 0; reader < readers; reader++)
        {
            Pass(reader, 0);
        }
    }

    /// <summary>A reader has passed so many messages.</summary>
    public void Pass(int reader, long messages) => Volatile.Write(ref WordOf(reader), messages);

    /// <summary>Whether all readers have passed so many messages.</summary>
    public bool IsPassed(int readers, long messages)
    {
        for (int reader = 0; reader < readers; reader++)
        {
            if (Volatile.Read(ref WordOf(reader)) < messages)
            {
                return false;
            }
        }

        return true;
    }

    public void Dispose() => _region.Dispose();

    private ref long WordOf(int reader) =>
        ref System.Runtime.InteropServices.MemoryMarshal.AsRef<long>(_region.GetSpan(reader * Distance, sizeof(long)));
}

using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>The buffers and bytes that a trim gave up so far. It lists the buffers only while events are listened to.</summary>
/// <remarks>Listeners may rent and return, so they are called while no lock is held (<see cref="Report"/>).</remarks>
internal struct TrimCount()
{
    private readonly List<Array>? _reported = TarnEventSource.IsHeard ? TryMakeList() : null;

    internal long Buffers { get; private set; }

    internal long Bytes { get; private set; }

    internal void Add(Array buffer, long size)
    {
        Buffers++;
        Bytes += size;
        Name(buffer);
    }

    internal void Add(ReadOnlySpan<ArrayReference> buffers, long size)
    {
        Buffers += buffers.Length;
        Bytes += buffers.Length * size;
        if (_reported is null)
        {
            return;
        }

        foreach (ArrayReference reference in buffers)
        {
            // A slot may still be empty after its owner counted it, when the owner is about to fill it.
            if (reference.Value is { } array)
            {
                Name(array);
            }
        }
    }

    private static List<Array>? TryMakeList()
    {
        try
        {
            return [];
        }
        catch (OutOfMemoryException)
        {
            return null;
        }
    }

    /// <summary>Without memory to note it, the buffer is counted all the same, and no event names it.</summary>
    private readonly void Name(Array buffer)
    {
        if (_reported is not null)
        {
            ListRoom.TryAdd(_reported, buffer);
        }
    }

    internal readonly void Report(int pool)
    {
        if (_reported is null)
        {
            return;
        }

        foreach (Array array in _reported)
        {
            TarnEventSource.Log?.BufferTrimmed(RuntimeHelpers.GetHashCode(array), array.Length, pool);
        }
    }
}

using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>The buffers and bytes that a trim gave up so far. It lists the buffers only while events are listened to.</summary>
/// <remarks>
/// Listeners may rent and return, so they are called while no lock is held (<see cref="Report(int)"/>), and never by a finalizer
/// (<see cref="ReportLater"/>).
/// </remarks>
internal struct TrimCount()
{
    private readonly List<Array>? _reported = TarnEventSource.IsHeardAlready ? TryMakeList() : null;

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

    /// <summary>Tells listeners now.</summary>
    internal readonly void Report(int pool)
    {
        if (_reported is not null)
        {
            Report(_reported, pool);
        }
    }

    /// <summary>Tells listeners on a thread of the pool, because they are code of the user's. For finalizers.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory to say so later; nobody is told.</exception>
    internal readonly void ReportLater(int pool)
    {
        if (_reported is { Count: > 0 })
        {
            BufferDiagnostics.RunLater(static trimmed => Report(trimmed.Buffers, trimmed.Pool), (Buffers: _reported, Pool: pool));
        }
    }

    private static void Report(List<Array> buffers, int pool)
    {
        foreach (Array array in buffers)
        {
            TarnEventSource.Log?.BufferTrimmed(RuntimeHelpers.GetHashCode(array), array.Length, pool);
        }
    }
}

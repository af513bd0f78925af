using System.Collections.Concurrent;

namespace Tarn.Sanitizing.Checking;

/// <summary>
/// The returned buffers of all pools, the oldest first, up to a number of bytes. They are verified when they leave it, every second, at
/// exit and on request. None is handed out again, so a fault disturbs nobody else. All members are safe to call from any thread.
/// </summary>
internal sealed class ByteQuarantine(long most)
{
    /// <summary>What an array and its rent take beside the elements, so that small arrays do not take far more than the limit.</summary>
    private const int Overhead = 192;

    private readonly ConcurrentQueue<Rental> _held = new();
    private long _bytes;

    /// <summary>Whether a buffer of this size can be kept.</summary>
    internal bool Accepts(long bytes) => bytes + Overhead <= most;

    internal void Add(Rental rental)
    {
        _held.Enqueue(rental);
        Interlocked.Add(ref _bytes, rental.Bytes + Overhead);
        while (Volatile.Read(ref _bytes) > most && _held.TryDequeue(out Rental? oldest))
        {
            Interlocked.Add(ref _bytes, -oldest.Bytes - Overhead);
            oldest.Verify();
            oldest.Release();
        }
    }

    /// <summary>Verifies all buffers, which stay.</summary>
    internal void Verify()
    {
        foreach (Rental rental in _held)
        {
            rental.Verify();
        }
    }
}

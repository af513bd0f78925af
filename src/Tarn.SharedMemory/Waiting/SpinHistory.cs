namespace Tarn.SharedMemory;

/// <summary>Whether one side of a ring spins before it sleeps: as long as spinning has paid lately.</summary>
/// <remarks>
/// <para>A spin pays if what the side waits for comes meanwhile. After some waits in a row in which it did not, the side sleeps at once,
/// and tries a spin now and then. One that pays ends this.</para>
/// <para>Where both sides share a processor, no spin pays, because it keeps the other side from answering. The trials are then all that is
/// lost. Where they do not, a side that is answered soon again sleeps for as many waits as there are to the next trial.</para>
/// </remarks>
internal struct SpinHistory
{
    /// <summary>About 20 µs, as long as a sleep and a wake take.</summary>
    internal const int Spins = 500;

    /// <summary>The waits in a row in which a spin may fail to pay before the side sleeps at once.</summary>
    internal const int MostMisses = 8;

    /// <summary>
    /// One wait in so many tries a spin. Prime, so that a regular sequence of long and short waits does not hide the short ones.
    /// </summary>
    internal const int WaitsPerTrial = 61;

    /// <summary>Waits in a row in which spinning did not pay; from <see cref="MostMisses"/> on, counted modulo a trial.</summary>
    private int _misses;

    /// <summary>How often to look before the next sleep.</summary>
    internal readonly int Next => _misses is < MostMisses or (MostMisses + WaitsPerTrial - 1) ? Spins : 0;

    /// <summary>Notes whether what the side waited for came before its sleep.</summary>
    internal void Note(bool hasPaid) =>
        _misses = hasPaid ? 0 : _misses < MostMisses + WaitsPerTrial - 1 ? _misses + 1 : MostMisses;
}

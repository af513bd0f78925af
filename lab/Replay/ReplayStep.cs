namespace Tarn.Lab.Replay;

/// <summary>One step of a replaying thread: rent to a place, return from it, or wait for the others.</summary>
/// <param name="Place">
/// The place of the buffer between its rent and its return: an index into the thread's own table, or, for a buffer that another thread
/// returns, the complement of an index into the common table.
/// </param>
/// <param name="Length">The length to request; 0 returns the buffer; -1 is the end of an epoch.</param>
internal readonly record struct ReplayStep(int Place, int Length)
{
    private const int EpochEnd = -1;

    public static readonly ReplayStep EndOfEpoch = new(0, EpochEnd);

    public bool IsRent => Length > 0;

    public bool IsEpochEnd => Length == EpochEnd;

    public bool IsCommon => Place < 0;

    public static ReplayStep Rent(int place, int length) => new(place, length);

    public static ReplayStep Return(int place) => new(place, 0);
}

namespace Tarn;

/// <summary>
/// How many free buffers of one size class a thread may keep: a few in any case, and more as its own work shows that it needs them.
/// </summary>
/// <remarks>
/// <para>A thread <i>overflows</i> when a buffer comes back and there is no room for it, and <i>misses</i> when it requests a buffer and
/// has none. From an overflow to a miss it hands out all the buffers it kept, and one more: a <i>crossing</i>. The <i>rise</i> of a
/// crossing is the number of buffers handed out minus those that came back since the overflow. The thread's own work rose by that much, and
/// that much room would have spared it every miss.</para>
/// <para>A crossing is <i>straight</i> when few buffers come back on the way. A thread that takes n buffers and returns n crosses straight
/// each time. A thread that receives buffers at random wanders, and its crossings are crooked. Consecutive straight crossings double the
/// limit, up to the rise; a crooked one halves it, but not below <see cref="AnyCrossing"/>, which any crossing earns. So the limit never
/// exceeds twice the thread's own largest rise, and it stays small where returns are random: more room would keep proportionally more
/// buffers that other threads need, and spare few misses. The factor is two because the point between two overflows where a climb began is
/// unknown.</para>
/// <para>Where no other thread needs buffers of the class, keeping them costs nothing, and every crossing counts as straight.</para>
/// <para>A thread that only hands out buffers never overflows, and one that only takes them back never misses: neither earns room.</para>
/// </remarks>
internal struct RoomLimit
{
    /// <summary>On a straight crossing, at most one buffer comes back for this many handed out.</summary>
    private const int ReturnsPerRise = 8;

    /// <summary>The straight crossings needed for more room, because fewer may be chance. If nothing is kept yet, one is enough.</summary>
    private const int StraightBeforeMore = 3;

    /// <summary>
    /// The room that any crossing earns. A thread that requests buffers and takes back others may keep two: when buffers are handed around
    /// at random, two spare a thread most of its calls to the depot, and keep a third of what three would keep.
    /// </summary>
    private const int AnyCrossing = 2;

    /// <summary>Buffers handed out minus those taken back, and buffers handed out, both at the last overflow.</summary>
    private long _outstanding;
    private long _rented;

    /// <summary>The number of buffers that could come back after the last overflow before another one.</summary>
    private int _slack;

    /// <summary>The rise since the last overflow, as of the last miss.</summary>
    private long _rise;

    /// <summary>The rise of the crossing since then while it was straight; 0 before the first.</summary>
    private long _straightRise;
    private bool _isCrooked;
    private bool _hasMissed;
    private int _straightInARow;

    /// <summary>The most free buffers that the thread has earned to keep.</summary>
    internal int Value { get; private set; }

    /// <summary>Whether there was no miss since the last overflow, so the buffers that come back here are requested elsewhere.</summary>
    internal readonly bool OnlyReturns => !_hasMissed;

    /// <summary>Notes that a buffer is requested and there is none.</summary>
    /// <param name="outstanding">Buffers this thread handed out minus those it took back, including this one.</param>
    /// <param name="rented">Buffers this thread handed out, including this one.</param>
    /// <param name="isAlone">Whether no other thread has needed buffers recently, so keeping them here costs no other thread.</param>
    internal void OnMiss(long outstanding, long rented, bool isAlone)
    {
        _hasMissed = true;
        long rise = outstanding - _outstanding;
        long returned = rented - _rented - rise;

        // Buffers that came back first, into room left by the overflow, made the climb begin lower than at the overflow.
        long first = Math.Min(returned, Math.Min(_slack, Math.Max(rise, 0)));
        rise += first;
        _rise = rise;
        if (rise > Value)
        {
            bool isStraight = isAlone || Value < AnyCrossing || returned - first <= rise / ReturnsPerRise;
            _straightRise = isStraight ? rise : _straightRise;
            _isCrooked = !isStraight;
        }
    }

    /// <summary>Notes that a buffer comes back and there is no room, and judges the preceding crossing.</summary>
    /// <param name="outstanding">Buffers this thread handed out minus those it took back, excluding this one.</param>
    /// <param name="rented">Buffers this thread handed out.</param>
    internal void OnOverflow(long outstanding, long rented)
    {
        if (_isCrooked)
        {
            _straightInARow = 0;
            Lower(Math.Max(AnyCrossing, Value / 2));
        }
        else if (_straightRise > Value)
        {
            _straightInARow++;
            if (Value == 0 || _straightInARow >= StraightBeforeMore)
            {
                Value = (int)Math.Min(_straightRise, Math.Max(1, Value * 2L));
            }
        }

        // Includes the buffer that comes back.
        _outstanding = outstanding - 1;
        _rented = rented;
        _slack = 0;
        _straightRise = 0;
        _isCrooked = false;
        _hasMissed = false;
    }

    /// <summary>Returns how many buffers, at most <paramref name="most"/>, to fetch at once after a miss.</summary>
    /// <remarks>
    /// Buffers fetched ahead hide from <see cref="OnMiss"/> how far a straight climb goes, so the batch is then a share of the rise so far.
    /// For a thread that only hands out buffers, whose rise never ends, it soon reaches <paramref name="most"/>. A thread that also takes
    /// buffers back keeps half of the room for those.
    /// </remarks>
    internal readonly int BatchOf(int most) => _isCrooked ? most / 2 : (int)Math.Clamp(_rise / ReturnsPerRise, 0, most);

    /// <summary>Notes that buffers were handed on after an overflow, which left room for <paramref name="room"/> buffers.</summary>
    internal void OnHandedOn(int room) => _slack = room;

    /// <summary>Lowers the limit to <paramref name="value"/>, because the room above it is not needed.</summary>
    internal void Lower(int value) => Value = Math.Min(Value, value);
}

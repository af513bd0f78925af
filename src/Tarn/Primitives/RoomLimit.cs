namespace Tarn;

/// <summary>
/// How many free buffers of one size class a thread may keep: a little unasked, more as far as its own work shows that it needs them.
/// </summary>
/// <remarks>
/// <para>A thread <i>overflows</i> when a buffer comes back and there is no room for it, and <i>misses</i> when it asks for one and has
/// none. From an overflow to a miss it handed out all it kept, and one more: a <i>crossing</i>. Its <i>rise</i> is what was handed out less
/// what came back since the overflow, so the thread's own work did rise by that much, and that much room would have spared it every
/// miss.</para>
/// <para>A crossing is <i>straight</i> when hardly anything came back on the way. A thread that takes n buffers and gives n back crosses
/// straight each time; one that is handed buffers at random wanders, and its crossings are crooked. Straight crossings in a row double the
/// limit, up to the rise; a crooked one halves it, though not below <see cref="AnyCrossing"/>, which any crossing earns. So the limit is
/// never above twice the largest rise of the thread itself, and where returns are random it stays small: more room would keep what other
/// threads need, in proportion to it, and spare few misses. Twice, because nobody sees where between two overflows a climb began.</para>
/// <para>Where no other thread comes for buffers of the class there is nobody to keep them from, and every crossing counts as
/// straight.</para>
/// <para>A thread that only hands out never overflows, and one that only takes back never misses: neither earns anything.</para>
/// </remarks>
internal struct RoomLimit
{
    /// <summary>On a straight crossing at most one in so many came back.</summary>
    private const int ReturnsPerRise = 8;

    /// <summary>A few straight crossings may be chance; where nothing is kept yet, one is enough.</summary>
    private const int StraightBeforeMore = 3;

    /// <summary>
    /// A thread that asks for buffers and takes back others may keep two of them: of what is handed around at random, that spares a thread
    /// most of its calls on the depot, and keeps a third of what three would.
    /// </summary>
    private const int AnyCrossing = 2;

    /// <summary>Buffers handed out less those taken back, and buffers handed out, as they stood at the last overflow.</summary>
    private long _outstanding;
    private long _rented;

    /// <summary>Buffers that could come back after the last overflow without another one.</summary>
    private int _slack;

    /// <summary>The rise since then, at the last miss.</summary>
    private long _rise;

    /// <summary>The rise of the crossing since then while it was straight; 0 before there was one.</summary>
    private long _straightRise;
    private bool _isCrooked;
    private bool _hasMissed;
    private int _straightInARow;

    /// <summary>The most free buffers that the thread has earned to keep.</summary>
    internal int Value { get; private set; }

    /// <summary>There was no miss since the last overflow: what comes back here is asked for elsewhere.</summary>
    internal readonly bool OnlyReturns => !_hasMissed;

    /// <summary>A buffer is asked for and there is none.</summary>
    /// <param name="outstanding">Buffers this thread handed out less those it took back, this one included.</param>
    /// <param name="rented">Buffers this thread handed out, this one included.</param>
    /// <param name="isAlone">No other thread came for buffers of late: what is kept here is kept from nobody.</param>
    internal void OnMiss(long outstanding, long rented, bool isAlone)
    {
        _hasMissed = true;
        long rise = outstanding - _outstanding;
        long returned = rented - _rented - rise;

        // What came back first, into room that the overflow had left, made the climb begin lower than at the overflow.
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

    /// <summary>A buffer comes back and there is no room: judges the crossing that came before.</summary>
    /// <param name="outstanding">Buffers this thread handed out less those it took back, not yet this one.</param>
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

        // With the one that comes back.
        _outstanding = outstanding - 1;
        _rented = rented;
        _slack = 0;
        _straightRise = 0;
        _isCrooked = false;
        _hasMissed = false;
    }

    /// <summary>How many buffers to fetch at once after a miss, of at most <paramref name="most"/>.</summary>
    /// <remarks>
    /// What is fetched ahead hides from <see cref="OnMiss"/> how far a straight climb goes, so there it is a share of the rise so far; to a
    /// thread that only hands out, whose rise has no end, it is soon the most. One that also takes back keeps half of the room for that.
    /// </remarks>
    internal readonly int BatchOf(int most) => _isCrooked ? most / 2 : (int)Math.Clamp(_rise / ReturnsPerRise, 0, most);

    /// <summary>After an overflow, buffers were handed on, and there is room for so many.</summary>
    internal void OnHandedOn(int room) => _slack = room;

    /// <summary>What was earned beyond <paramref name="value"/> is not needed.</summary>
    internal void Lower(int value) => Value = Math.Min(Value, value);
}

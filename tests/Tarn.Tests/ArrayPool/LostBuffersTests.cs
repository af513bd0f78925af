using System.Reflection;

namespace Tarn.Tests.ArrayPool;

/// <summary>Buffers that are rented and never returned stay in a class's counts for good.</summary>
public class LostBuffersTests
{
    private const int Length = 64 << 10;

    [Fact]
    public void A_class_still_lends_room_after_more_buffers_than_an_int_counts()
    {
        var core = new PoolCore(new BufferPoolOptions(), elementSize: 1, eventId: 0);
        ArrayClass pool = core.ClassOf(core.IndexOf(Length));
        Assert.False(pool.HasToLend);

        SetMade(pool, int.MaxValue);
        pool.CountMade();

        Assert.Equal(int.MaxValue + 1L, pool.Made);
        Assert.True(pool.HasToLend);
        Assert.Equal(8, pool.Lend(8, borrowed: 0));
    }

    private static void SetMade(ArrayClass pool, long made)
    {
        FieldInfo counters = typeof(ArrayClass).GetField("_counters", BindingFlags.NonPublic | BindingFlags.Instance)!;
        object value = counters.GetValue(pool)!;
        counters.FieldType.GetField("Made", BindingFlags.NonPublic | BindingFlags.Instance)!.SetValue(value, made);
        counters.SetValue(pool, value);
    }
}

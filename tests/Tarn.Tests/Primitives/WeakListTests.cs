using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Primitives;

public sealed class WeakListTests
{
    private readonly WeakList<object> _list = new();

    [Fact]
    public void It_holds_added_objects_in_order_as_often_as_they_were_added()
    {
        object first = new();
        object second = new();
        _list.Add(first);
        _list.Add(second);
        _list.Add(first);

        Assert.Equal([first, second, first], _list.GetAlive());
    }

    [Fact]
    public void It_keeps_nothing_alive()
    {
        object stays = new();
        AddAndDrop(3);
        _list.Add(stays);

        Eventually.TrueAfterCollections(() => _list.GetAlive().Count == 1, "what was dropped is collected");
        Assert.Equal([stays], _list.GetAlive());
    }

    [Fact]
    public void Collected_objects_leave_when_others_are_removed()
    {
        object stays = new();
        object leaves = new();
        _list.Add(leaves);
        AddAndDrop(2);
        _list.Add(stays);
        Eventually.TrueAfterCollections(() => _list.GetAlive().Count == 2, "dropped objects are collected");
        _list.RemoveWhere(item => item == leaves);

        Assert.Equal(1, _list.Count);
        Assert.Equal([stays], _list.GetAlive());
    }

    [Fact]
    public void It_does_not_grow_with_collected_objects()
    {
        for (int i = 0; i < StressLength.Times(30, 100); i++)
        {
            AddAndDrop(100);
            GC.Collect();
        }

        Assert.InRange(_list.Count, 1, 1000);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AddAndDrop(int count)
    {
        for (int i = 0; i < count; i++)
        {
            _list.Add(new object());
        }
    }
}

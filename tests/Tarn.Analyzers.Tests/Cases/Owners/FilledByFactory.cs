using System;
using System.Buffers;
using System.Collections.Generic;

internal sealed class RentedList<T>(int capacity) : IDisposable
{
    private static RentedList<T>? s_last;
    private T[]? _items = ArrayPool<T>.Shared.Rent(capacity);
    private int _count;

    public int Count => _count;

    public T this[int index]
    {
        get => _items![index];
        set => _items![index] = value;
    }

    public void Add(T item)
    {
        if (_count == _items!.Length)
        {
            T[] larger = ArrayPool<T>.Shared.Rent(_count * 2);
            _items.CopyTo(larger, 0);
            ArrayPool<T>.Shared.Return(_items);
            _items = larger;
        }

        _items[_count++] = item;
    }

    public void Register() => s_last = this;

    public void Dispose()
    {
        T[]? items = _items;
        _items = null;
        if (items is not null)
        {
            ArrayPool<T>.Shared.Return(items);
        }
    }
}

/// <summary>A factory stays one when it fills what it returns.</summary>
internal static class FilledByFactory
{
    private static RentedList<int> Filled(int[] values)
    {
        RentedList<int> list = new(values.Length);
        foreach (int value in values)
        {
            list.Add(value);
        }

        list[0] = 1;
        return list;
    }

    private static RentedList<int> Registered(int capacity)
    {
        RentedList<int> list = new(capacity);
        list.Register();
        return list;
    }

    internal static int Lost(int[] values)
    {
        RentedList<int> list = Filled(values); // expect TARN011
        return list.Count;
    }

    internal static int LostOnOnePath(int[] values)
    {
        RentedList<int> list = Filled(values); // expect TARN011
        if (list.Count == 0)
        {
            return 0;
        }

        int first = list[0];
        list.Dispose();
        return first;
    }

    internal static int Disposed(int[] values)
    {
        using RentedList<int> list = Filled(values);
        return list.Count;
    }

    internal static int KeptElsewhere()
    {
        RentedList<int> list = Registered(3);
        return list.Count;
    }

    internal static void Kept(List<RentedList<int>> lists, int[] values) => lists.Add(Filled(values));
}

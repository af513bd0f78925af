using System;
using System.Buffers;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;

/// <summary>What the elements of a returned array refer to stays alive.</summary>
internal sealed class References : IDisposable
{
    private static readonly ArrayPool<string> s_own = ArrayPool<string>.Create();
    private object[]? _items = ArrayPool<object>.Shared.Rent(16);

    public static void Elements(IReadOnlyList<string> source)
    {
        string[] array = ArrayPool<string>.Shared.Rent(source.Count);
        for (int i = 0; i < source.Count; i++)
        {
            array[i] = source[i];
        }

        ArrayPool<string>.Shared.Return(array); // expect TARN009
    }

    public static async Task TasksAsync(IReadOnlyList<Task> source)
    {
        Task[] array = ArrayPool<Task>.Shared.Rent(source.Count);
        try
        {
            Fill(source, array);
            await Task.WhenAll(array.AsSpan(0, source.Count));
        }
        finally
        {
            ArrayPool<Task>.Shared.Return(array, clearArray: false); // expect TARN009
        }
    }

    /// <summary>It was cleared when it came, not when it went.</summary>
    public static void ClearedFirst(ICollection<KeyValuePair<string, int>> source)
    {
        KeyValuePair<string, int>[] array = ArrayPool<KeyValuePair<string, int>>.Shared.Rent(source.Count);
        Array.Clear(array);
        source.CopyTo(array, 0);
        ArrayPool<KeyValuePair<string, int>>.Shared.Return(array); // expect TARN009
    }

    public static void Generic<T>(ReadOnlySpan<T> source)
    {
        T[] array = s_pool<T>().Rent(source.Length);
        source.CopyTo(array);
        s_pool<T>().Return(array);
    }

    public void Dispose()
    {
        object[]? items = _items;
        _items = null;
        if (items is not null)
        {
            ArrayPool<object>.Shared.Return(items); // expect TARN009
        }
    }

    public static void Asked(string source)
    {
        string[] array = s_own.Rent(1);
        array[0] = source;
        s_own.Return(array, clearArray: true);
    }

    public static void Perhaps(string source, bool clear)
    {
        string[] array = s_own.Rent(1);
        array[0] = source;
        s_own.Return(array, clear);
    }

    public static void GenericAsked<T>(ReadOnlySpan<T> source)
    {
        T[] array = s_pool<T>().Rent(source.Length);
        source.CopyTo(array);
        s_pool<T>().Return(array, RuntimeHelpers.IsReferenceOrContainsReferences<T>());
    }

    public static void GenericCleared<T>(ReadOnlySpan<T> source)
    {
        T[] array = s_pool<T>().Rent(source.Length);
        source.CopyTo(array);
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>())
        {
            array.AsSpan(0, source.Length).Clear();
        }

        s_pool<T>().Return(array);
    }

    public static void GenericStruct<T>(ReadOnlySpan<T> source)
        where T : struct
    {
        T[] array = s_pool<T>().Rent(source.Length);
        source.CopyTo(array);
        s_pool<T>().Return(array);
    }

    public static void Numbers(ReadOnlySpan<(int Left, long Right)> source)
    {
        (int, long)[] array = ArrayPool<(int, long)>.Shared.Rent(source.Length);
        source.CopyTo(array);
        ArrayPool<(int, long)>.Shared.Return(array);
    }

    public static void ClearedLast(IReadOnlyList<string> source)
    {
        string?[] array = ArrayPool<string?>.Shared.Rent(source.Count);
        for (int i = 0; i < source.Count; i++)
        {
            array[i] = source[i];
        }

        Array.Clear(array, 0, source.Count);
        ArrayPool<string?>.Shared.Return(array);
    }

    public static void ClearedByLoop(IReadOnlyList<string> source)
    {
        string[] array = ArrayPool<string>.Shared.Rent(source.Count);
        for (int i = 0; i < source.Count; i++)
        {
            array[i] = source[i];
        }

        for (int i = 0; i < source.Count; i++)
        {
            array[i] = null!;
        }

        ArrayPool<string>.Shared.Return(array);
    }

    public static void ClearedInTry(IReadOnlyList<Task> source)
    {
        Task[] array = ArrayPool<Task>.Shared.Rent(source.Count);
        try
        {
            Fill(source, array);
            array.AsSpan(0, source.Count).Clear();
        }
        finally
        {
            ArrayPool<Task>.Shared.Return(array);
        }
    }

    public static void ClearedElsewhere(IReadOnlyList<Task> source)
    {
        Task[] array = ArrayPool<Task>.Shared.Rent(source.Count);
        Fill(source, array);
        ClearTasks(array);
        ArrayPool<Task>.Shared.Return(array);
    }

    /// <summary>Nothing was put in.</summary>
    public static void Unused(int n)
    {
        string[] array = ArrayPool<string>.Shared.Rent(n);
        ArrayPool<string>.Shared.Return(array);
    }

    public void Grow()
    {
        object[] larger = ArrayPool<object>.Shared.Rent(64);
        object[]? old = _items;
        old!.CopyTo(larger, 0);
        _items = larger;
        Array.Clear(old);
        ArrayPool<object>.Shared.Return(old);
    }

    public static void GenericClass<T>(ReadOnlySpan<T> source)
        where T : class
    {
        T[] array = s_pool<T>().Rent(source.Length);
        source.CopyTo(array);
        s_pool<T>().Return(array); // expect TARN009
    }

    private static ArrayPool<T> s_pool<T>() => ArrayPool<T>.Shared;

    private static void Fill(IReadOnlyList<Task> source, Task[] target) => target[0] = source[0];

    private static void ClearTasks(Task[] array) => Array.Clear(array);
}

/// <summary>A pool that clears whatever it gets.</summary>
internal sealed class ClearingPool : ArrayPool<string>
{
    public override string[] Rent(int minimumLength) => new string[minimumLength];

    public override void Return(string[] array, bool clearArray = false) => Array.Clear(array);

    public static void Use(ClearingPool pool, string source)
    {
        string[] array = pool.Rent(1);
        array[0] = source;
        pool.Return(array);
    }
}

/// <summary>What the elements are is for the user of the type to say.</summary>
internal sealed class Writer<T> : IDisposable
{
    private T[]? _array = ArrayPool<T>.Shared.Rent(16);

    public void Dispose()
    {
        T[]? array = _array;
        _array = null;
        if (array is not null)
        {
            ArrayPool<T>.Shared.Return(array);
        }
    }
}

using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;

/// <summary>
/// Every place where C# allows an expression that is no constant, and so a lambda. <see cref="Mark"/> marks each; a test puts misuse there.
/// </summary>
internal class Places : PlacesBase
{
    private static readonly int s_field = Mark.Of(1);
    private readonly int _first = 1, _second = Mark.Of(2);
    private readonly int[] _array = { Mark.Of(1), 2 };
    private readonly int[,] _sized = new int[Mark.Of(1), Mark.Of(2)];

    static Places() => Mark.Of(1);

    internal Places(int number)
        : base(Mark.Of(number)) => Mark.Of(2);

    internal Places()
        : this(Mark.Of(1))
    {
        Mark.Of(2);
    }

    ~Places() => Mark.Of(1);

    internal event Action Raised = Mark.Of<Action>(static () => { });

    internal event Action Own
    {
        add => Mark.Of(value);
        remove { Mark.Of(value); }
    }

    internal int Property { get; set; } = Mark.Of(1);

    internal int Arrow => Mark.Of(1);

    internal int Accessors
    {
        get => Mark.Of(1);
        set { Mark.Of(value); }
    }

    internal int Initialized
    {
        get => field;
        init => field = Mark.Of(value);
    }

    internal int this[int index] => Mark.Of(index);

    internal int this[string index]
    {
        get { return Mark.Of(1); }
        set => Mark.Of(value);
    }

    public static Places operator +(Places one, Places other) => Mark.Of(one);

    public static Places operator -(Places one, Places other)
    {
        return Mark.Of(one);
    }

    public static implicit operator int(Places one) => Mark.Of(1);

    public static explicit operator long(Places one)
    {
        return Mark.Of(1L);
    }

    internal static int Expressions(int[] array, Dictionary<int, int> map, Places? maybe, object any, dynamic open, bool isTrue)
    {
        int sum = array[Mark.Of(0)] + -Mark.Of(1) + (Mark.Of(1)) + (int)Mark.Of(1L) + Mark.Of(array).Length;
        sum += Mark.Of(1) + 1;
        Mark.Of(array)[0]++;
        ++Mark.Of(array)[0];
        sum = Mark.Of(isTrue) ? Mark.Of(1) : Mark.Of(2);
        sum = maybe?.Twice(Mark.Of(1)) ?? Mark.Of(2);
        sum += Mark.Of(maybe)?.Property ?? 0;
        sum += maybe?[Mark.Of(1)] ?? 0;
        any = Mark.Of(any) as string ?? (object)(Mark.Of(any) is int);
        any = Mark.Of(any) is string { Length: > 1 };
        any = (Mark.Of(1), second: Mark.Of(2));
        any = new { Mark.Of(maybe)!.Property, Other = Mark.Of(1) };
        any = new Places(Mark.Of(1)) { Property = Mark.Of(2), Initialized = 1 };
        any = new List<int>(Mark.Of(1)) { Mark.Of(2) };
        any = new Dictionary<int, int> { [Mark.Of(1)] = Mark.Of(2) };
        any = new Dictionary<int, int> { { Mark.Of(3), 4 } };
        Places target = new(Mark.Of(1)) { Property = Mark.Of(2), Initialized = 1 };
        any = new[] { Mark.Of(1) };
        any = new int[] { Mark.Of(1) };
        int[] elements = [Mark.Of(1), .. Mark.Of(array)];
        List<int> sized = [with(Mark.Of(4)), 1];
        any = unsafe(Mark.Of(1));
        Span<int> stack = stackalloc int[Mark.Of(1)];
        Span<int> filled = stackalloc[] { Mark.Of(1) };
        filled = stackalloc int[] { Mark.Of(1) };
        any = $"{Mark.Of(1)}{sum,3:X}";
        any = array[Mark.Of(0)..Mark.Of(1)].Length + array[^Mark.Of(1)];
        any = Mark.Of(sum) switch { 1 when Mark.Of(isTrue) => Mark.Of(1), _ => Mark.Of(2) };
        any = Mark.Of(new PlacesOfRecord(1)) with { Number = Mark.Of(1) };
        any = __reftype(__makeref(Mark.Of(array)[0]));
        any = checked(Mark.Of(1) + 1);
        any = any ?? throw Mark.Of(new InvalidOperationException());
        open.Call(Mark.Of(1));
        map[Mark.Of(1)] = open[Mark.Of(1)];
        any = (Func<int, int>)(one => Mark.Of(one));
        any = (Func<int>)(() => Mark.Of(1));
        any = (Func<int>)delegate { return Mark.Of(1); };
        any = (Func<int, int>)(one => { return Mark.Of(one); });
        any = (Func<int>)(() => { return Mark.Of(1); });
        ref int element = ref Mark.Of(array)[0];
        element = __refvalue(__makeref(Mark.Of(array)[0]), int);
        return Mark.Of(sum) + stack.Length + filled.Length + elements.Length + target.Property;
    }

    internal static IEnumerable<int> Queries(int[] array) =>
        from one in Mark.Of(array)
        let two = Mark.Of(one)
        where Mark.Of(two) > 1
        from other in Mark.Of(array)
        join three in Mark.Of(array) on Mark.Of(one) equals Mark.Of(three) into group1
        orderby Mark.Of(one), Mark.Of(two) descending
        select Mark.Of(one) into four
        group Mark.Of(four) by Mark.Of(four) into five
        select Mark.Of(five.Key);

    internal static async IAsyncEnumerable<int> Statements(int[] array, object gate, IAsyncEnumerable<int> later)
    {
        int local = Mark.Of(1), second = Mark.Of(2);
        (local, second) = Mark.Of((1, 2));
        var (third, fourth) = Mark.Of((1, 2));
        if (Mark.Of(local) == 1)
        {
            Mark.Of(1);
        }
        else if (local == 2)
        {
            Mark.Of(2);
        }
        else
        {
            Mark.Of(3);
        }

        for (int i = Mark.Of(0), j = 0; i < Mark.Of(1); i += Mark.Of(1), j++)
        {
            Mark.Of(j);
        }

        for (local = Mark.Of(0); local < 1; local++)
        {
        }

        foreach (int one in Mark.Of(array))
        {
            Mark.Of(one);
        }

        foreach ((int one, int two) in Mark.Of(array.Zip(array)))
        {
            Mark.Of(one + two);
        }

        await foreach (int one in Mark.Of(later))
        {
            Mark.Of(one);
        }

        while (Mark.Of(local) < 3)
        {
            local += Mark.Of(1);
        }

        do
        {
            local += Mark.Of(1);
        }
        while (Mark.Of(local) < 6);

        switch (Mark.Of(local))
        {
            case 1 when Mark.Of(second) == 1:
                Mark.Of(1);
                break;
            case int when Mark.Of(second) == 2:
                break;
            default:
                break;
        }

        lock (Mark.Of(gate))
        {
            Mark.Of(1);
        }

        using (Mark.Of((IDisposable)null!))
        {
            Mark.Of(1);
        }

        using (IDisposable held = Mark.Of((IDisposable)null!))
        {
        }

        using IDisposable kept = Mark.Of((IDisposable)null!);
        checked
        {
            Mark.Of(1);
        }

        again:
        Mark.Of(1);
        if (local > 100)
        {
            goto again;
        }

        await Mark.Of(Task.CompletedTask);
        yield return Mark.Of(third + fourth + Local(1) + Block(1));

        int Local(int one) => Mark.Of(one);

        int Block(int one)
        {
            return Mark.Of(one);
        }
    }

    internal static unsafe int Attempts(int[] array)
    {
        try
        {
            Mark.Of(1);
        }
        catch (InvalidOperationException error) when (Mark.Of(error) is not null)
        {
            Mark.Of(2);
            throw Mark.Of(error);
        }
        catch
        {
            Mark.Of(3);
        }
        finally
        {
            Mark.Of(4);
        }

        unsafe
        {
            Mark.Of(5);
        }

        fixed (int* first = Mark.Of(array))
        {
            Mark.Of(6);
            return first[Mark.Of(0)] + *(first + Mark.Of(0)) + (&first[Mark.Of(0)])->GetHashCode();
        }
    }

    private int Twice(int number)
    {
        return Mark.Of(number);
    }
}

internal class PlacesBase(int number = 1)
{
    ~PlacesBase()
    {
        Mark.Of(1);
    }

    internal int Number { get; } = Mark.Of(number);
}

internal sealed class PlacesOfPrimary(int number) : PlacesBase(Mark.Of(number));

internal record PlacesOfRecord(int Number)
{
    internal int Doubled { get; } = Mark.Of(Number);
}

internal sealed record PlacesOfDerivedRecord(int Number) : PlacesOfRecord(Mark.Of(Number));

internal struct PlacesOfStruct()
{
    internal int Number = Mark.Of(1);
}

internal interface IPlaces
{
    static readonly int Number = Mark.Of(1);

    int Default() => Mark.Of(1);
}

internal static class PlacesOfExtension
{
    extension(int number)
    {
        internal int Doubled() => Mark.Of(number);
    }
}

internal union PlacesOfUnion(int, string)
{
    internal static int Number() => Mark.Of(1);
}

namespace System.Runtime.CompilerServices
{
    /// <summary>What .NET 11 has, and the compiler asks for.</summary>
    internal interface IUnion
    {
        object? Value { get; }
    }

    internal sealed class UnionAttribute : Attribute;
}

namespace Inside
{
    internal static class PlacesOfNamespace
    {
        internal static readonly int Number = Mark.Of(1);
    }
}

internal static class Mark
{
    internal static T Of<T>(T value) => value;
}

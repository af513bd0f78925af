using System.Buffers;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Tarn.Sanitizing.Tests.Checking;

/// <summary>Every kind of fault with every kind of element: found, once, and nothing else.</summary>
public class PlantedFaultTests
{
    public static TheoryData<string, Type> Faults()
    {
        var data = new TheoryData<string, Type>();
        foreach (string fault in new[] { "ReturnedTwice", "NeverRented", "WrongPool", "WriteAfterReturn", "Lost", "Held", "" })
        {
            foreach (Type element in new[]
            {
                typeof(byte), typeof(int), typeof(bool), typeof(decimal), typeof(Guid), typeof(DayOfWeek), typeof(string), typeof(object),
                typeof(int[]), typeof((string, int)), typeof(int?),
            })
            {
                data.Add(fault, element);
            }
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Faults))]
    public void It_is_found_once_and_nothing_else(string fault, Type element)
    {
        using var run = new CheckedRun();
        typeof(PlantedFaultTests).GetMethod(nameof(Commit), BindingFlags.NonPublic | BindingFlags.Static)!
            .MakeGenericMethod(element).Invoke(null, [run, fault]);
        CheckedRun.Collect();
        run.Checker.End(collects: false);
        Assert.Equal(fault.Length == 0 ? [] : [fault], run.Kinds());
        s_held = null;
    }

    private static object? s_held;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Commit<T>(CheckedRun run, string fault)
    {
        ArrayPool<T> pool = run.Shared<T>();
        T[] buffer = pool.Rent(100);
        switch (fault)
        {
            case "ReturnedTwice":
                pool.Return(buffer);
                pool.Return(buffer);
                break;
            case "NeverRented":
                pool.Return(buffer);
                pool.Return(new T[128]);
                break;
            case "WrongPool":
                run.PoolFor(ArrayPool<T>.Create()).Return(buffer);
                break;
            case "WriteAfterReturn":
                pool.Return(buffer);
                buffer[5] = Something<T>();
                break;
            case "Lost":
                break;
            case "Held":
                s_held = buffer;
                break;
            default:
                buffer[5] = Something<T>();
                pool.Return(buffer, clearArray: true);
                break;
        }
    }

    private static T Something<T>() => (T)(typeof(T) switch
    {
        _ when typeof(T) == typeof(string) || typeof(T) == typeof(object) => (object)"a text",
        _ when typeof(T) == typeof(int[]) => new int[1],
        _ when typeof(T) == typeof((string, int)) => ("a text", 1),
        _ => Activator.CreateInstance(Nullable.GetUnderlyingType(typeof(T)) ?? typeof(T))!,
    });
}

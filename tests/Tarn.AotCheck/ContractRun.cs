using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Tarn.Tests.Contracts;
using Tarn.Tests.Copying;
using Tarn.Tests.NativeHeaps;
using Tarn.Tests.Platform;
using Tarn.Tests.Streams;
using Xunit.Sdk;

namespace Tarn.AotCheck;

/// <summary>Runs contracts as xunit does: a fresh object for each test, and for each row of its data.</summary>
internal sealed class ContractRun
{
    private const string Rooted = "The project keeps this assembly as a whole.";

    /// <summary>The assertions make these from a type at run time. They are named here so that their code is there.</summary>
    private static readonly object[] s_compiled =
    [
        CollectionTrackerExtensions.AsTracker(Enumerable.Empty<byte>()), CollectionTrackerExtensions.AsTracker(Enumerable.Empty<int>()),
        CollectionTrackerExtensions.AsTracker(Enumerable.Empty<(nint, nuint)>()),
    ];

    private static readonly Type[] s_contracts =
        [typeof(ArrayPoolContract), typeof(NativeHeapContract), typeof(StreamContract), typeof(VirtualMemoryContract)];

    /// <summary>What has one subject: the ways of copying, some of which depend on the processor.</summary>
    private static readonly Type[] s_alone = [typeof(BufferCopyTests), typeof(CachedCopyTests), typeof(ParallelCopyTests)];

    internal int Contracts { get; private set; }

    internal int Passed { get; private set; }

    internal int Failed { get; private set; }

    /// <summary>The program was compiled ahead of time.</summary>
    internal static bool IsNative => !RuntimeFeature.IsDynamicCodeSupported;

    /// <summary>The subject of a contract.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = Rooted)]
    internal static IEnumerable<Type> FindTests() =>
        typeof(ContractRun).Assembly.GetTypes()
            .Where(static type => !type.IsAbstract && (Array.Exists(s_contracts, type.IsSubclassOf) || s_alone.Contains(type)))
            .OrderBy(static type => type.FullName, StringComparer.Ordinal);

    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = Rooted)]
    internal void RunAll(Type tests)
    {
        Contracts++;
        GC.KeepAlive(s_compiled);
        foreach (MethodInfo method in tests.GetMethods(BindingFlags.Public | BindingFlags.Instance))
        {
            foreach (object?[] arguments in RowsOf(tests, method))
            {
                RunOne(tests, method, arguments);
            }
        }
    }

    /// <summary>The rows of a theory's data, one without values for a fact, none for a method that is not a test.</summary>
    /// <exception cref="NotSupportedException">A theory has no data that is known here.</exception>
    private static object?[][] RowsOf(Type tests, MethodInfo method)
    {
        if (method.GetCustomAttribute<FactAttribute>() is not { } fact)
        {
            return [];
        }

        object?[][] rows =
        [
            .. method.GetCustomAttributes<InlineDataAttribute>().Select(data => data.GetData(method).Single()),
            .. method.GetCustomAttributes<MemberDataAttribute>().SelectMany(data => RowsOf(tests, data.MemberName)),
        ];
        return (fact, rows.Length) switch
        {
            (not TheoryAttribute, _) => [[]],
            (_, > 0) => rows,
            _ => throw new NotSupportedException($"{method.Name} of {tests.Name} has no inline data and no member data."),
        };
    }

    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = Rooted)]
    private static IEnumerable<object?[]> RowsOf(Type tests, string member) =>
        (IEnumerable<object?[]>)tests.GetProperty(member, BindingFlags.Public | BindingFlags.Static | BindingFlags.FlattenHierarchy)!
            .GetValue(null)!;

    [UnconditionalSuppressMessage("Trimming", "IL2067", Justification = Rooted)]
    private void RunOne(Type tests, MethodInfo method, object?[] arguments)
    {
        try
        {
            object test = Activator.CreateInstance(tests)!;
            (method.Invoke(test, arguments) as Task)?.GetAwaiter().GetResult();
            (test as IDisposable)?.Dispose();
            Passed++;
        }
#pragma warning disable CA1031 // a test fails by any exception
        catch (Exception exception)
#pragma warning restore CA1031
        {
            Failed++;
            Console.WriteLine(
                $"FAILED {tests.Name}.{method.Name}({string.Join(", ", arguments)}): {exception.InnerException ?? exception}");
        }
    }
}

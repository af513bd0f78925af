using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Tarn.Sanitizing.Checking;

/// <summary>The rents of all element types. It keeps no type in memory, which a program may want to unload.</summary>
internal static class Rentals
{
    private static readonly ConcurrentQueue<WeakReference<Func<IEnumerable<(Rental, Array)>>>> s_tables = new();

    internal static void Add(Func<IEnumerable<(Rental Rental, Array Array)>> table) => s_tables.Enqueue(new(table));

    /// <summary>
    /// The rents that are not returned, each with whether the program still refers to its array. No finalizer runs any more when a process
    /// ends, so this looks at the arrays themselves.
    /// </summary>
    /// <param name="checker">Whose rents.</param>
    /// <param name="collects">Whether to find out what the program refers to; else all count as referred to.</param>
    internal static IEnumerable<(Rental Rental, bool IsAlive)> GetOpen(Checker checker, bool collects)
    {
        List<(Rental Rental, WeakReference Array)> open = List(checker);
        if (collects)
        {
            GC.Collect();
        }

        return open.Where(static one => !one.Rental.IsReturned).Select(static one => (one.Rental, one.Array.IsAlive));
    }

    /// <summary>No other frame than this one, which ends, has the arrays.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static List<(Rental Rental, WeakReference Array)> List(Checker checker) =>
    [
        .. s_tables.SelectMany(static table => table.TryGetTarget(out Func<IEnumerable<(Rental, Array)>>? list) ? list() : [])
            .Where(one => one.Item1.Checker == checker && !one.Item1.IsReturned)
            .Select(static one => (one.Item1, new WeakReference(one.Item2, trackResurrection: true))),
    ];
}

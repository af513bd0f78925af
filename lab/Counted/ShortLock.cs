using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Tarn.Lab.Counted;

namespace Tarn;

/// <summary>In place of the library's short lock: with the same members, counted.</summary>
internal struct ShortLock
{
    private CountedLock? _counted;

    internal void Enter([CallerFilePath] string place = "")
    {
        CountedLock? counted = Volatile.Read(ref _counted);
        if (counted is null)
        {
            CountedLock mine = new(place);
            counted = System.Threading.Interlocked.CompareExchange(ref _counted, mine, null) ?? mine;
        }

        counted.Enter();
    }

    internal readonly void Exit() => _counted!.Exit();

    [UnscopedRef]
    internal Holding Hold([CallerFilePath] string place = "")
    {
        Enter(place);
        return new Holding(_counted!);
    }

    internal readonly ref struct Holding(CountedLock taken)
    {
        public void Dispose() => taken.Exit();
    }
}

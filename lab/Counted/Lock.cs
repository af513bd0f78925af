using System.Runtime.CompilerServices;
using Tarn.Lab.Counted;

namespace System.Threading;

/// <summary>The system's lock as the library uses it, counted. The compiler knows a lock by this name.</summary>
/// <param name="place">The file that creates it.</param>
internal sealed class Lock([CallerFilePath] string place = "")
{
    private readonly CountedLock _counted = new(place);

    internal bool IsHeldByCurrentThread => _counted.IsHeldByCurrentThread;

    internal void Enter() => _counted.Enter();

    internal bool TryEnter() => _counted.TryEnter();

    internal void Exit() => _counted.Exit();

    /// <summary>What a <c>lock</c> statement calls.</summary>
    public Scope EnterScope()
    {
        _counted.Enter();
        return new Scope(this);
    }

    /// <summary>Holds the lock. Public, because the compiler requires it.</summary>
    public readonly ref struct Scope
    {
        private readonly Lock _held;

        internal Scope(Lock held) => _held = held;

        public void Dispose() => _held.Exit();
    }
}

namespace Tarn.Tests.Support;

/// <summary>The operating system, with a visitor in the middle of every call.</summary>
/// <remarks>The visitor's own calls, and simultaneous calls of other threads, are not visited.</remarks>
internal sealed class WatchedMemory(VirtualMemory inner) : VirtualMemory
{
    private int _isVisited;

    /// <summary>Runs in the middle of a call, which it gets as an argument. Null leaves all calls alone.</summary>
    internal Action<string>? Visitor { get; set; }

    internal override nuint OsPageSize => inner.OsPageSize;

    internal override nint Reserve(nuint size, nuint alignment) => Visit(nameof(Reserve), inner.Reserve(size, alignment));

    internal override bool Commit(nint address, nuint size)
    {
        Visit(nameof(Commit), 0);
        return inner.Commit(address, size);
    }

    internal override void Decommit(nint address, nuint size)
    {
        inner.Decommit(address, size);
        Visit(nameof(Decommit), 0);
    }

    internal override void Discard(nint address, nuint size)
    {
        inner.Discard(address, size);
        Visit(nameof(Discard), 0);
    }

    internal override bool Seal(nint address, nuint size) => inner.Seal(address, size);

    internal override void Release(nint address, nuint size)
    {
        Visit(nameof(Release), 0);
        inner.Release(address, size);
    }

    internal override bool TryMove(nint source, nuint size, nint target, nuint newSize)
    {
        Visit(nameof(TryMove), 0);
        return inner.TryMove(source, size, target, newSize);
    }

    internal override void PreferHugePages(nint address, nuint size) => inner.PreferHugePages(address, size);

    private nint Visit(string call, nint result)
    {
        if (Visitor is { } visitor && Interlocked.Exchange(ref _isVisited, 1) == 0)
        {
            visitor(call);
            Volatile.Write(ref _isVisited, 0);
        }

        return result;
    }
}

namespace Tarn.TestChild;

/// <summary>The system's memory, refused from so many bytes of address space on.</summary>
internal sealed class LimitedMemory(long limit) : VirtualMemory
{
    private long _reserved;

    /// <summary>The bytes reserved now.</summary>
    internal long Reserved => Volatile.Read(ref _reserved);

    internal override nuint OsPageSize => Current.OsPageSize;

    internal override nint Reserve(nuint size, nuint alignment)
    {
        nint address = Interlocked.Add(ref _reserved, (long)size) <= limit ? Current.Reserve(size, alignment) : 0;
        if (address == 0)
        {
            Interlocked.Add(ref _reserved, -(long)size);
        }

        return address;
    }

    internal override bool Commit(nint address, nuint size) => Current.Commit(address, size);

    internal override void Decommit(nint address, nuint size) => Current.Decommit(address, size);

    internal override void Discard(nint address, nuint size) => Current.Discard(address, size);

    internal override bool Seal(nint address, nuint size) => Current.Seal(address, size);

    internal override void Release(nint address, nuint size)
    {
        Current.Release(address, size);
        Interlocked.Add(ref _reserved, -(long)size);
    }

    internal override bool TryMove(nint source, nuint size, nint target, nuint newSize)
    {
        bool isMoved = Current.TryMove(source, size, target, newSize);
        Interlocked.Add(ref _reserved, isMoved ? -(long)size : 0);
        return isMoved;
    }
}

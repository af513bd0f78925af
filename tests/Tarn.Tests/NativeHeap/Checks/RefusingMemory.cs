namespace Tarn.Tests.NativeHeaps.Checks;

/// <summary>The system's memory, which refuses the calls a test selects, and counts reserved ranges.</summary>
internal sealed class RefusingMemory : VirtualMemory
{
    private int _reservations;

    internal bool RefusesReserve { get; set; }

    internal bool RefusesCommit { get; set; }

    internal bool RefusesSeal { get; set; }

    /// <summary>Reservations that were not released.</summary>
    internal int Reservations => _reservations;

    internal override nuint OsPageSize => Current.OsPageSize;

    internal override nint Reserve(nuint size, nuint alignment)
    {
        nint address = RefusesReserve ? 0 : Current.Reserve(size, alignment);
        _reservations += address != 0 ? 1 : 0;
        return address;
    }

    internal override bool Commit(nint address, nuint size) => !RefusesCommit && Current.Commit(address, size);

    internal override void Decommit(nint address, nuint size) => Current.Decommit(address, size);

    internal override void Discard(nint address, nuint size) => Current.Discard(address, size);

    internal override bool Seal(nint address, nuint size) => !RefusesSeal && Current.Seal(address, size);

    internal override void Release(nint address, nuint size)
    {
        _reservations--;
        Current.Release(address, size);
    }
}

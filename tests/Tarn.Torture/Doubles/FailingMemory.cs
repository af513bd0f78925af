using Tarn.Torture.Findings;

namespace Tarn.Torture.Doubles;

/// <summary>
/// The real operating system, made hostile: it refuses the calls a test selects, records the reserved and committed ranges, and does not
/// let its user break the contract of <see cref="VirtualMemory"/>.
/// </summary>
/// <remarks>
/// A broken contract throws at the call, before the system sees it, and is remembered: <see cref="AssertNothingLeaks"/> fails even if
/// somebody caught the exception. All members are safe to call from any thread; calls run one at a time.
/// </remarks>
internal sealed class FailingMemory(VirtualMemory inner) : VirtualMemory
{
    private readonly Lock _lock = new();
    private readonly int[] _calls = new int[Enum.GetValues<MemoryCall>().Length];
    private readonly Dictionary<nint, nuint> _reservations = [];
    private readonly AddressRanges _committed = new();
    private readonly AddressRanges _released = new();
    private readonly List<string> _violations = [];
    private readonly List<(nint Address, nuint Size)> _discards = [];
    private int _refused;
    private int _untilRefusal = -1;
    private bool _refusesAllAfter;
    private Func<bool>? _refusesThis;

    internal FailingMemory()
        : this(Current)
    {
    }

    internal override nuint OsPageSize => inner.OsPageSize;

    /// <summary>
    /// Decommitted memory faults when it is touched, as on Windows and macOS; on Linux it does not otherwise. A fault ends the process.
    /// </summary>
    internal bool DecommittedMemoryFaults { get; init; }

    /// <summary>
    /// The number of calls so far that the system may refuse, of all kinds. A test that refuses each in turn counts up to it.
    /// </summary>
    internal int Calls => Read(() => _calls.Sum());

    /// <summary>How many of them were refused, by this double or by the system.</summary>
    internal int Refused => Read(() => _refused);

    /// <summary>The reserved ranges: address and size, by address.</summary>
    internal IReadOnlyList<(nint Address, nuint Size)> Reservations =>
        Read(() => _reservations.Select(static pair => (pair.Key, pair.Value)).Order().ToArray());

    /// <summary>The committed ranges: address and size, by address. Adjacent ranges count as one.</summary>
    internal IReadOnlyList<(nint Address, nuint Size)> CommittedRanges => Read(() => _committed.Ranges);

    /// <summary>The discarded ranges so far, in the order of the calls.</summary>
    internal IReadOnlyList<(nint Address, nuint Size)> Discards => Read(() => _discards.ToArray());

    internal nuint ReservedBytes => Read(() => _reservations.Values.Aggregate((nuint)0, static (sum, size) => sum + size));

    internal nuint CommittedBytes => Read(() => _committed.Size);

    /// <summary>The caller's violations of the contract so far.</summary>
    internal IReadOnlyList<string> Violations => Read(() => _violations.ToArray());

    /// <summary>Calls of one kind so far, refused ones included.</summary>
    internal int CallsOf(MemoryCall call) => Read(() => _calls[(int)call]);

    /// <summary>Refuses the <paramref name="nth"/> call from now on, 1 being the next, and if wanted all after it.</summary>
    internal void Refuse(int nth, bool andAllAfter = false)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(nth, 1);
        lock (_lock)
        {
            _untilRefusal = nth;
            _refusesAllAfter = andAllAfter;
        }
    }

    /// <summary>Refuses each call for which <paramref name="refusesThis"/> says so, asked once a call.</summary>
    internal void Refuse(Func<bool> refusesThis)
    {
        lock (_lock)
        {
            _refusesThis = refusesThis;
        }
    }

    /// <summary>The system is friendly again.</summary>
    internal void RefuseNothing()
    {
        lock (_lock)
        {
            _refusesThis = null;
            _untilRefusal = -1;
        }
    }

    /// <summary>Everything reserved was released, and the contract was kept.</summary>
    internal void AssertNothingLeaks()
    {
        Require.That(Violations.Count == 0, string.Join(' ', Violations));
        Require.That(
            Reservations.Count == 0, $"{Reservations.Count} reservations were not released, of {ReservedBytes} bytes.");
    }

    internal override nint Reserve(nuint size, nuint alignment)
    {
        lock (_lock)
        {
            RequireKept(size > 0 && size % OsPageSize == 0, $"Reserve of {size} bytes, which are not OS pages");
            RequireKept(nuint.IsPow2(alignment) && alignment >= OsPageSize, $"Reserve with alignment {alignment}");
            nint address = IsRefused(MemoryCall.Reserve) ? 0 : inner.Reserve(size, alignment);
            if (address == 0)
            {
                _refused++;
                return 0;
            }

            _reservations.Add(address, size);
            _released.Remove(address, size);
            return address;
        }
    }

    internal override bool Commit(nint address, nuint size)
    {
        lock (_lock)
        {
            RequireRange(nameof(Commit), address, size);
            bool done = !IsRefused(MemoryCall.Commit) && inner.Commit(address, size);
            if (done)
            {
                _committed.Add(address, size);
            }

            return Answer(done);
        }
    }

    internal override void Decommit(nint address, nuint size)
    {
        lock (_lock)
        {
            RequireRange(nameof(Decommit), address, size);
            RequireKept(_committed.Contains(address, size), $"Decommit of {Text(address, size)}, which is not all committed");
            _committed.Remove(address, size);
            if (!DecommittedMemoryFaults || !inner.Seal(address, size))
            {
                inner.Decommit(address, size);
            }
        }
    }

    internal override void Discard(nint address, nuint size)
    {
        lock (_lock)
        {
            RequireRange(nameof(Discard), address, size);
            RequireKept(_committed.Contains(address, size), $"Discard of {Text(address, size)}, which is not all committed");
            _discards.Add((address, size));
            inner.Discard(address, size);
        }
    }

    internal override bool Seal(nint address, nuint size)
    {
        lock (_lock)
        {
            RequireRange(nameof(Seal), address, size);
            bool done = !IsRefused(MemoryCall.Seal) && inner.Seal(address, size);
            if (done)
            {
                _committed.Remove(address, size);
            }

            return Answer(done);
        }
    }

    internal override void Release(nint address, nuint size)
    {
        lock (_lock)
        {
            RequireReservation(nameof(Release), address, size);
            Forget(address, size);
            inner.Release(address, size);
        }
    }

    internal override bool TryMove(nint source, nuint size, nint target, nuint newSize)
    {
        lock (_lock)
        {
            RequireReservation(nameof(TryMove), source, size);
            RequireRange(nameof(TryMove), target, newSize);
            RequireKept(_committed.Contains(source, size), $"TryMove from {Text(source, size)}, which is not all committed");
            RequireKept(newSize >= size, $"TryMove of {size} bytes to {newSize}");
            RequireKept(!_committed.Overlaps(target, newSize), $"TryMove to {Text(target, newSize)}, part of which is committed");
            bool done = !IsRefused(MemoryCall.TryMove) && inner.TryMove(source, size, target, newSize);
            if (done)
            {
                Forget(source, size);
                _committed.Add(target, newSize);
            }

            return Answer(done);
        }
    }

    internal override void PreferHugePages(nint address, nuint size)
    {
        lock (_lock)
        {
            RequireRange(nameof(PreferHugePages), address, size);
            inner.PreferHugePages(address, size);
        }
    }

    private static string Text(nint address, nuint size) => $"{address:x}+{size:x}";

    private T Read<T>(Func<T> read)
    {
        lock (_lock)
        {
            return read();
        }
    }

    private bool IsRefused(MemoryCall call)
    {
        _calls[(int)call]++;
        if (_refusesThis?.Invoke() is true)
        {
            return true;
        }

        if (_untilRefusal > 1)
        {
            _untilRefusal--;
            return false;
        }

        bool refused = _untilRefusal == 1;
        _untilRefusal = refused && _refusesAllAfter ? 1 : -1;
        return refused;
    }

    private bool Answer(bool done)
    {
        _refused += done ? 0 : 1;
        return done;
    }

    private void Forget(nint address, nuint size)
    {
        _reservations.Remove(address);
        _committed.Remove(address, size);
        _released.Add(address, size);
    }

    /// <summary>The range is a whole reservation.</summary>
    private void RequireReservation(string call, nint address, nuint size)
    {
        RequireRange(call, address, size);
        RequireKept(
            _reservations.TryGetValue(address, out nuint reserved) && reserved == size,
            $"{call} of {Text(address, size)}, which is not a whole reservation");
    }

    /// <summary>The range is of OS pages and lies within one reservation.</summary>
    private void RequireRange(string call, nint address, nuint size)
    {
        RequireKept(
            size > 0 && size % OsPageSize == 0 && (nuint)address % OsPageSize == 0,
            $"{call} of {Text(address, size)}, which is not a range of OS pages");
        nuint start = (nuint)address;
        RequireKept(
            _reservations.Any(pair => start >= (nuint)pair.Key && size <= pair.Value && start - (nuint)pair.Key <= pair.Value - size),
            $"{call} of {Text(address, size)}, which {(_released.Overlaps(address, size) ? "was released" : "lies in no reservation")}");
    }

    private void RequireKept(bool kept, string violation)
    {
        if (!kept)
        {
            _violations.Add(violation);
            throw new FindingException($"The contract of VirtualMemory is broken: {violation}.");
        }
    }
}

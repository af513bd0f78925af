namespace Tarn.Tests.Support;

/// <summary>The test double itself: its refusals, its records, and the violations it detects.</summary>
public sealed unsafe class FailingMemoryTests : IDisposable
{
    private readonly FailingMemory _memory = new();

    private nuint Unit => _memory.OsPageSize;

    /// <summary>Whatever a test did, the system gets its memory back.</summary>
    public void Dispose()
    {
        foreach ((nint address, nuint size) in _memory.Reservations)
        {
            _memory.Release(address, size);
        }
    }

    [Fact]
    public void It_notes_reserved_and_committed_memory()
    {
        nint address = _memory.Reserve(Unit * 8, Unit);
        Assert.True(_memory.Commit(address, Unit * 2));
        Assert.True(_memory.Commit(At(address, 4), Unit * 3));
        _memory.Decommit(At(address, 5), Unit);
        Assert.True(_memory.Seal(address, Unit));

        Assert.Equal([(address, Unit * 8)], _memory.Reservations);
        Assert.Equal([(At(address, 1), Unit), (At(address, 4), Unit), (At(address, 6), Unit)], _memory.CommittedRanges);
        Assert.Equal(Unit * 8, _memory.ReservedBytes);
        Assert.Equal(Unit * 3, _memory.CommittedBytes);
        Assert.Equal([1, 2, 0, 1], Enum.GetValues<MemoryCall>().Select(_memory.CallsOf));
        Assert.Equal(4, _memory.Calls);
        Assert.Equal(0, _memory.Refused);

        _memory.Release(address, Unit * 8);
        Assert.Equal(0u, _memory.ReservedBytes);
        Assert.Equal(0u, _memory.CommittedBytes);
        _memory.AssertNothingLeaks();
    }

    [Fact]
    public void A_move_takes_the_books_along()
    {
        MovingMemory system = new();
        FailingMemory memory = new(system);
        nint source = memory.Reserve(Unit, Unit);
        nint target = memory.Reserve(Unit * 2, Unit);
        Assert.True(memory.Commit(source, Unit));

        memory.Refuse(1);
        Assert.False(memory.TryMove(source, Unit, target, Unit));
        Assert.Equal([(source, Unit)], memory.CommittedRanges);
        Assert.Equal(0, system.Moves);

        Assert.True(memory.TryMove(source, Unit, target, Unit));
        Assert.Equal([(target, Unit)], memory.CommittedRanges);
        Assert.Equal([(target, Unit * 2)], memory.Reservations);
        Assert.Equal(1, system.Moves);
        AssertCaught(memory, () => memory.Release(source, Unit));
        memory.Release(target, Unit * 2);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void It_refuses_the_nth_call_from_now_on_and_no_other(int nth)
    {
        nint address = _memory.Reserve(Unit, Unit);
        _memory.Refuse(nth);
        Assert.Equal([.. Enumerable.Range(1, 4).Select(call => call != nth)], MakeFourCalls(address));
        Assert.Equal(1, _memory.Refused);
        Assert.DoesNotContain(false, MakeFourCalls(address));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void It_refuses_all_later_calls_on_request_until_that_is_revoked(int nth)
    {
        nint address = _memory.Reserve(Unit, Unit);
        _memory.Refuse(nth, andAllAfter: true);
        Assert.Equal([.. Enumerable.Range(1, 4).Select(call => call < nth)], MakeFourCalls(address));
        Assert.DoesNotContain(true, MakeFourCalls(address));
        _memory.RefuseNothing();
        Assert.DoesNotContain(false, MakeFourCalls(address));
    }

    [Fact]
    public void Refused_calls_never_reach_the_system_and_change_no_records()
    {
        nint address = _memory.Reserve(Unit * 2, Unit);
        Assert.True(_memory.Commit(address, Unit));
        *(int*)address = 42;

        _memory.Refuse(1, andAllAfter: true);
        Assert.Equal(0, _memory.Reserve(Unit, Unit));
        Assert.False(_memory.Commit(At(address, 1), Unit));
        Assert.False(_memory.Seal(address, Unit));

        Assert.Equal([(address, Unit * 2)], _memory.Reservations);
        Assert.Equal([(address, Unit)], _memory.CommittedRanges);
        Assert.Equal(42, *(int*)address);
        Assert.Equal(3, _memory.Refused);
    }

    [Fact]
    public void Calls_that_the_system_itself_refuses_count_as_refused()
    {
        Assert.Equal(0, _memory.Reserve((nuint)1 << 62, Unit));
        Assert.Equal(1, _memory.Refused);
        _memory.AssertNothingLeaks();
    }

    [Fact]
    public void A_reservation_that_is_not_released_is_a_leak()
    {
        nint address = _memory.Reserve(Unit, Unit);
        Assert.Throws<FindingException>(_memory.AssertNothingLeaks);
        _memory.Release(address, Unit);
        _memory.AssertNothingLeaks();
    }

    [Fact]
    public void Sizes_and_alignments_that_are_not_the_contracts_are_caught()
    {
        AssertCaught(_memory, () => _memory.Reserve(0, Unit));
        AssertCaught(_memory, () => _memory.Reserve(Unit + 1, Unit));
        AssertCaught(_memory, () => _memory.Reserve(Unit, 0));
        AssertCaught(_memory, () => _memory.Reserve(Unit, Unit / 2));
        AssertCaught(_memory, () => _memory.Reserve(Unit, Unit * 3));
        Assert.Empty(_memory.Reservations);
    }

    [Fact]
    public void Ranges_that_are_not_of_one_reservation_are_caught_at_every_call()
    {
        nint address = _memory.Reserve(Unit * 4, Unit);
        Assert.True(_memory.Commit(address, Unit * 4));
        (nint, nuint)[] wrong =
        [
            (address + 1, Unit), (address, Unit / 2), (address, 0), (address, Unit * 5), (At(address, 3), Unit * 2),
            (At(address, -1), Unit * 2), (At(address, 1), 0 - Unit), (0, Unit),
        ];
        foreach ((nint start, nuint size) in wrong)
        {
            AssertCaught(_memory, () => _memory.Commit(start, size));
            AssertCaught(_memory, () => _memory.Decommit(start, size));
            AssertCaught(_memory, () => _memory.Seal(start, size));
            AssertCaught(_memory, () => _memory.PreferHugePages(start, size));
            AssertCaught(_memory, () => _memory.Release(start, size));
        }

        Assert.Equal([(address, Unit * 4)], _memory.CommittedRanges);
    }

    [Fact]
    public void Only_whole_reservations_are_released()
    {
        nint address = _memory.Reserve(Unit * 4, Unit);
        AssertCaught(_memory, () => _memory.Release(address, Unit * 2));
        AssertCaught(_memory, () => _memory.Release(At(address, 2), Unit * 2));
        Assert.Equal([(address, Unit * 4)], _memory.Reservations);
    }

    [Fact]
    public void Use_after_release_is_caught_and_called_so()
    {
        nint address = _memory.Reserve(Unit * 4, Unit);
        Assert.True(_memory.Commit(address, Unit * 4));
        _memory.Release(address, Unit * 4);
        AssertCaught(_memory, () => _memory.Decommit(At(address, 1), Unit), "was released");
        AssertCaught(_memory, () => _memory.Commit(At(address, 1), Unit), "was released");
        AssertCaught(_memory, () => _memory.Release(address, Unit * 4), "was released");
    }

    [Fact]
    public void Decommitting_uncommitted_memory_is_caught()
    {
        nint address = _memory.Reserve(Unit * 4, Unit);
        Assert.True(_memory.Commit(address, Unit * 2));
        AssertCaught(_memory, () => _memory.Decommit(At(address, 1), Unit * 2));
        _memory.Decommit(address, Unit);
        AssertCaught(_memory, () => _memory.Decommit(address, Unit));
    }

    [Fact]
    public void Moving_anything_but_a_committed_reservation_to_uncommitted_memory_is_caught()
    {
        nint source = _memory.Reserve(Unit * 2, Unit);
        nint target = _memory.Reserve(Unit * 4, Unit);
        Assert.True(_memory.Commit(source, Unit));
        AssertCaught(_memory, () => _memory.TryMove(source, Unit * 2, target, Unit * 2), "not all committed");
        AssertCaught(_memory, () => _memory.TryMove(source, Unit, target, Unit), "not a whole reservation");
        Assert.True(_memory.Commit(source, Unit * 2));
        AssertCaught(_memory, () => _memory.TryMove(source, Unit * 2, source, Unit * 2), "is committed");
        AssertCaught(_memory, () => _memory.TryMove(source, Unit * 2, At(target, 3), Unit * 2), "in no reservation");
        Assert.True(_memory.Commit(At(target, 1), Unit));
        AssertCaught(_memory, () => _memory.TryMove(source, Unit * 2, target, Unit * 2), "is committed");
    }

    [Fact]
    public void A_violation_is_remembered_even_if_it_was_caught()
    {
        AssertCaught(_memory, () => _memory.Reserve(0, Unit));
        Assert.Throws<FindingException>(_memory.AssertNothingLeaks);
    }

    private nint At(nint address, int units) => address + units * (nint)Unit;

    /// <summary>Whether each of four calls was done: one that reserves, and three on a reservation from before.</summary>
    private bool[] MakeFourCalls(nint address) =>
        [_memory.Reserve(Unit, Unit) != 0, _memory.Commit(address, Unit), _memory.Seal(address, Unit), _memory.Commit(address, Unit)];

    private static void AssertCaught(FailingMemory memory, Action violation, string because = "")
    {
        int before = memory.Violations.Count;
        FindingException thrown = Assert.Throws<FindingException>(violation);
        Assert.Contains(because, thrown.Message, StringComparison.Ordinal);
        Assert.Equal(before + 1, memory.Violations.Count);
    }

    /// <summary>A system that accepts every call everywhere, as no test touches its memory.</summary>
    private sealed class MovingMemory : VirtualMemory
    {
        private nint _next = 1 << 30;

        internal int Moves { get; private set; }

        internal override nuint OsPageSize => Current.OsPageSize;

        internal override nint Reserve(nuint size, nuint alignment) => _next += 1 << 20;

        internal override bool Commit(nint address, nuint size) => true;

        internal override void Decommit(nint address, nuint size)
        {
        }

        internal override void Discard(nint address, nuint size)
        {
        }

        internal override bool Seal(nint address, nuint size) => true;

        internal override void Release(nint address, nuint size)
        {
        }

        internal override bool TryMove(nint source, nuint size, nint target, nuint newSize) => ++Moves > 0;
    }
}

using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>The entry that a lease remembers for its end is one of its own pool, whatever happens while its buffer is found.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class LeaseEntryTests
{
    private const int Length = 1000;

    private readonly BufferPool<byte> _pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
    private readonly BufferPool<byte> _other = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });

    public LeaseEntryTests()
    {
        foreach (BufferPool<byte> pool in (BufferPool<byte>[])[_pool, _other])
        {
            for (int i = 0; i < 8; i++)
            {
                pool.Return(pool.Rent(Length));
            }
        }
    }

    /// <summary>
    /// The listener's pool may be collected before the lease ends. The lease would then read memory that is no entry any more.
    /// </summary>
    [Fact]
    public void A_listener_that_rents_elsewhere_meanwhile_does_not_change_it()
    {
        using Renting listener = new(_pool, _other);
        BufferLease<byte> first = _pool.Lease(Length);
        BufferLease<byte> second = _pool.Lease(Length);
        BufferLease<byte> third = _pool.Lease(Length);
        Assert.True(listener.Heard > 0, "No lease took the slow path.");
        AssertOwn(ref first);
        AssertOwn(ref second);
        AssertOwn(ref third);
        third.Dispose();
        second.Dispose();
        first.Dispose();
        Assert.Equal(0, _pool.GetStatistics().InUseBytes);
        Assert.Equal(0, _other.GetStatistics().InUseBytes);
        _pool.Core.Validate();
        _other.Core.Validate();
    }

    /// <summary>
    /// A return that leads to listeners leaves the thread's last entry to them: its own pool may have been collected meanwhile.
    /// </summary>
    [Fact]
    public void A_listener_that_rents_elsewhere_during_a_return_has_the_last_word()
    {
        BufferPool<byte> full = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None, MaxRetainedBytes = 64 << 10 });
        byte[][] rented = [.. Enumerable.Range(0, 200).Select(_ => full.Rent(Length))];
        using Renting listener = new(full, _other, "BufferDropped");
        foreach (byte[] array in rented)
        {
            // The last rent is not this pool's, so that the return looks its entry up.
            _pool.Return(_pool.Rent(Length));
            int heard = listener.Heard;
            full.Return(array);
            if (heard != listener.Heard)
            {
                Assert.Equal(_other.Core.Id, BufferPool<byte>.EntryAt(PoolThreads.Local.Last).Pool);
            }
        }

        Assert.True(listener.Heard > 0, "No return dropped its buffer.");
        full.Core.Validate();
    }

    [Fact]
    public void A_lease_that_hits_remembers_where_its_buffer_came_from()
    {
        BufferLease<byte> lease = _pool.Lease(Length);
        Assert.NotEqual(0, EntryOf(ref lease));
        AssertOwn(ref lease);
        lease.Dispose();
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    public void A_negative_length_is_refused_by_its_name_on_every_path(int length)
    {
        Assert.Equal("length", Assert.Throws<ArgumentOutOfRangeException>(() => _pool.Lease(length).Dispose()).ParamName);
        Exception? onNewThread = null;
        Thread thread = new(() => onNewThread = Record.Exception(() => _pool.Lease(length).Dispose()));
        thread.Start();
        thread.Join();
        Assert.Equal("length", Assert.IsType<ArgumentOutOfRangeException>(onNewThread).ParamName);
    }

    private void AssertOwn(ref BufferLease<byte> lease)
    {
        nint entry = EntryOf(ref lease);
        Assert.True(entry == 0 || BufferPool<byte>.EntryAt(entry).Pool == _pool.Core.Id, "the entry is another pool's");
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_entry")]
    private static extern ref readonly nint EntryOf(ref BufferLease<byte> lease);

    private sealed class Renting : EventListener
    {
        private readonly BufferPool<byte> _watched;
        private readonly BufferPool<byte> _rented;
        private readonly string _event;

        internal Renting(BufferPool<byte> watched, BufferPool<byte> rented, string eventName = "BufferAllocated")
        {
            _watched = watched;
            _rented = rented;
            _event = eventName;
            EnableEvents(TarnEventSource.Log!, EventLevel.Informational);
        }

        internal int Heard { get; private set; }

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (eventData.EventName == _event && (int)eventData.Payload![2]! == _watched.Core.EventId)
            {
                Heard++;
                _rented.Return(_rented.Rent(Length));
            }
        }
    }
}

using System;
using System.Buffers;
using System.Collections.Generic;
using Tarn;

[AttributeUsage(AttributeTargets.Struct)]
sealed class NonCopyableAttribute : Attribute;

[NonCopyable]
struct Rented : IDisposable
{
    private byte[]? _array;

    public Rented(int length) => _array = ArrayPool<byte>.Shared.Rent(length);

    public readonly Span<byte> Span => _array;

    public readonly int Length => _array?.Length ?? 0;

    public void Write(byte value) => _array![0] = value;

    public Rented Move()
    {
        Rented moved = this;
        this = default;
        return moved;
    }

    public void Dispose()
    {
        byte[]? array = _array;
        _array = null;
        if (array is not null) ArrayPool<byte>.Shared.Return(array);
    }
}

static class Receivers
{
    internal static void ByValue(BufferLease<byte> lease) => lease.Dispose();

    internal static void ByValue(Rented rented) => rented.Dispose();

    internal static void ByRef(ref BufferLease<byte> lease) => lease.Dispose();

    internal static int ByIn(in BufferLease<byte> lease) => lease.Length;

    internal static void ByScratch(ScratchBuffer<byte> scratch) => scratch.Span.Clear();

    internal static void Take([TakesOwnership] Rented rented) => rented.Dispose();

    internal static int Look([Borrowed] Rented rented) => rented.Length;

    internal static void Box(object o) => (o as IDisposable)?.Dispose();
}

[AttributeUsage(AttributeTargets.Parameter)]
sealed class TakesOwnershipAttribute : Attribute;

[AttributeUsage(AttributeTargets.Parameter)]
sealed class BorrowedAttribute : Attribute;

sealed class Wrong
{
    private readonly Rented _readonly = new(1);
    private Rented _rented = new(1);
    private static Rented s_rented = new(1);

    void CopyOfUsing(int n)
    {
        using BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(n);
        BufferLease<byte> copy = lease; // expect TARN014
        copy.Span.Clear();
    }

    void CopyThatIsDisposedToo(int n)
    {
        BufferLease<byte> first = BufferPool<byte>.Shared.Lease(n);
        using BufferLease<byte> second = first; // expect TARN014
        first.Dispose();
    }

    void Passed(int n)
    {
        using BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(n);
        Receivers.ByValue(lease); // expect TARN014
    }

    void PassedAndUsed(int n)
    {
        BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(n);
        try
        {
            Receivers.ByValue(lease); // expect TARN014
        }
        finally
        {
            lease.Dispose();
        }
    }

    void Scratch(int n)
    {
        using ScratchBuffer<byte> scratch = new(stackalloc byte[16], n);
        Receivers.ByScratch(scratch); // expect TARN014
    }

    void InLoop(int n)
    {
        Rented rented = new(n);
        for (int i = 0; i < n; i++)
        {
            Receivers.ByValue(rented); // expect TARN014
        }
    }

    object Boxes(int n)
    {
        using Rented rented = new(n);
        Receivers.Box(rented); // expect TARN014
        IDisposable boxed = rented; // expect TARN014
        return boxed;
    }

    void Kept(int n, List<Rented> list)
    {
        using Rented rented = new(n);
        list.Add(rented); // expect TARN014
        _rented = rented; // expect TARN014
    }

    Rented FromUsing(int n)
    {
        using Rented rented = new(n);
        return rented; // expect TARN014
    }

    Rented FromField() => _rented; // expect TARN014

    void LocalOfField()
    {
        Rented local = _rented; // expect TARN014
        local.Write(1);
        Receivers.ByValue(s_rented); // expect TARN014
    }

    void DisposeOfReadOnly() => _readonly.Dispose(); // expect TARN014

    void DisposeOfIn(in Rented rented)
    {
        rented.Dispose(); // expect TARN014
    }

    void TakenFromUsing(int n)
    {
        using Rented rented = new(n);
        Receivers.Take(rented); // expect TARN014
    }

    int Default()
    {
        BufferLease<byte> lease = default;
        BufferLease<byte> other = new();
        lease.Dispose();
        return lease.Span.Length + other.Segment.Count; // expect TARN002 TARN014 TARN014
    }
}

sealed class Right
{
    private Rented _rented = new(1);
    private Rented _other;

    void Plain(int n)
    {
        using BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(n);
        lease.Span.Clear();
        Receivers.ByIn(lease);
        Receivers.ByIn(in lease);
    }

    void ByRef(int n)
    {
        BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(n);
        Receivers.ByRef(ref lease);
        ref BufferLease<byte> same = ref lease;
        same.Dispose();
    }

    BufferLease<byte> Made(int n)
    {
        BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(n);
        lease.Span.Clear();
        return lease;
    }

    int LastUse(int n)
    {
        BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(n);
        BufferLease<byte> moved = lease;
        moved.Dispose();
        return lease.Length;
    }

    void MovedOnOnePath(int n, bool isTaken)
    {
        Rented rented = new(n);
        if (isTaken)
        {
            Receivers.ByValue(rented);
            return;
        }

        rented.Dispose();
    }

    void MovedByFlag(int n, bool isTaken)
    {
        Rented rented = new(n);
        bool isMine = true;
        try
        {
            if (isTaken)
            {
                Receivers.ByValue(rented);
                isMine = false;
            }
        }
        finally
        {
            if (isMine)
                rented.Dispose();
        }
    }

    void MovedAndReplaced(int n)
    {
        Rented rented = new(n);
        for (int i = 0; i < n; i++)
        {
            Receivers.ByValue(rented);
            rented = new Rented(n);
        }

        rented.Dispose();
    }

    void MovedAndLeft(int n)
    {
        Rented rented = new(n);
        while (true)
        {
            if (n > 5)
            {
                Receivers.ByValue(rented);
                break;
            }

            n++;
        }
    }

    void MovedFromField()
    {
        Rented local = _rented;
        _rented = default;
        local.Dispose();
        (_rented, _other) = (_other, _rented);
    }

    void Stored(Rented rented) => _rented = rented;

    void Taken(int n)
    {
        Rented rented = new(n);
        Receivers.Take(rented);
        Receivers.ByValue(new Rented(n));
        using Rented last = new(n);
        Receivers.Look(last);
        Console.WriteLine(last);
    }

    object BoxedOnce(int n)
    {
        Rented rented = new(n);
        IDisposable made = new Rented(n);
        made.Dispose();
        return rented;
    }

    void FieldsInPlace()
    {
        _rented.Write(1);
        _rented.Dispose();
        _rented.Move().Dispose();
        Span<byte> span = _other.Span;
        span.Clear();
    }

    void DefaultThatIsFilled(int n)
    {
        BufferLease<byte> lease = default;
        if (n > 0)
        {
            lease = BufferPool<byte>.Shared.Lease(n);
        }

        lease.Span.Clear();
        lease.Dispose();
    }

    int DefaultThatIsDropped()
    {
        BufferLease<byte> lease = default;
        lease.Dispose();
        ScratchBuffer<byte> empty = default;
        return lease.Length + empty.Span.Length;
    }

    ref Rented InPlace() => ref _rented;

    BufferLease<byte> Conditional(int n)
    {
        BufferLease<byte> first = BufferPool<byte>.Shared.Lease(n); // expect TARN011
        BufferLease<byte> second = BufferPool<byte>.Shared.Lease(n);
        BufferLease<byte> chosen = n > 5 ? first : second;
        return chosen;
    }
}

// Not an owner: nothing to give back, or nobody said it may not be copied.
[NonCopyable]
struct Counter
{
    public int Count;
}

struct Unmarked : IDisposable
{
    public void Dispose()
    {
    }
}

sealed class Others
{
    void Copy(Counter counter, Unmarked unmarked)
    {
        Counter other = counter;
        other.Count++;
        counter.Count++;
        using Unmarked copy = unmarked;
        unmarked.Dispose();
    }
}

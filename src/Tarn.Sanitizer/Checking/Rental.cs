using Tarn.Sanitizing.Checking.Reporting;

namespace Tarn.Sanitizing.Checking;

/// <summary>
/// One rent of a buffer. A weak table attaches it to the array, so it keeps no array alive and is finalized with it; finalized while the
/// buffer is rented, it reports a loss. While the buffer is in quarantine, it holds the array.
/// </summary>
internal abstract class Rental
{
    private RecordedStack? _returnedAt;
    private int _isDisturbed;

    protected Rental(Checker checker, object pool, string poolName, int length, long bytes, RecordedStack rentedAt)
    {
        Checker = checker;
        Pool = pool;
        PoolName = poolName;
        Length = length;
        Bytes = bytes;
        RentedAt = rentedAt;
        if (!checker.Options.FindsLost)
        {
            NeedNoFinalizer();
        }
    }

    /// <summary>
    /// Runs when nothing refers to the array. That proves little yet: what held it may wait for its own finalizer, which may return it.
    /// </summary>
    ~Rental()
    {
        if (IsReturned)
        {
            return;
        }

        try
        {
            Checker.Suspects.Add(this);
        }
        catch (OutOfMemoryException)
        {
            // An exception here ends the process; the report is lost.
        }
    }

    internal Checker Checker { get; }

    /// <summary>The pool that handed the buffer out.</summary>
    internal object Pool { get; }

    internal string PoolName { get; }

    /// <summary>The length asked for.</summary>
    internal int Length { get; }

    internal long Bytes { get; }

    internal RecordedStack RentedAt { get; }

    /// <summary>The stack of the first return; null while the buffer is rented.</summary>
    internal RecordedStack? ReturnedAt => Volatile.Read(ref _returnedAt);

    internal bool IsReturned => ReturnedAt is not null;

    /// <summary>Records the return. Returns false if one was recorded before.</summary>
    internal bool TryReturn(RecordedStack returnedAt)
    {
        if (Interlocked.CompareExchange(ref _returnedAt, returnedAt, null) is not null)
        {
            return false;
        }

        NeedNoFinalizer();
        return true;
    }

    /// <summary>Reports a write since the return, once.</summary>
    internal void Verify()
    {
        if (Volatile.Read(ref _isDisturbed) == 0 && FindWrite() is { } detail && Interlocked.Exchange(ref _isDisturbed, 1) == 0)
        {
            Checker.Report(new Incident(IncidentKind.WriteAfterReturn, this) { Detail = detail });
        }
    }

    /// <summary>Forgets the array.</summary>
    internal abstract void Release();

    /// <summary>Says what was written since the return; null if nothing was.</summary>
    protected abstract string? FindWrite();

    private void NeedNoFinalizer()
    {
#pragma warning disable CA1816 // nothing is disposed: the finalizer only reports losses
        GC.SuppressFinalize(this);
#pragma warning restore CA1816
    }
}

using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>
/// An owner returns two buffers to its top slot and rents again, while a trimmer takes the magazine and, after a fence without a lock, the
/// top slot back.
/// </summary>
internal static class TopSlotModel
{
    private const string Fast = "src/Tarn/ArrayPool/BufferPool.cs";
    private const string Cache = "src/Tarn/ArrayPool/ArrayClassCache.cs";
    private const string Trim = "src/Tarn/ArrayPool/ArrayClassCache.Trim.cs";
    private const string Passes = "src/Tarn/ArrayPool/PoolTrimmer.cs";
    private const int Revoked = 0;
    private const int TopAlone = 1;
    private const int Stale = 1;
    private const int Pass = 1;

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        Entry entry = new(
            protocol.Location("Sync"),
            protocol.Location("entry.Items", TopAlone),
            protocol.Location("entry.Top", Stale),
            protocol.Location("entry.IsTopFree"),
            protocol.Location("_hasTop", initial: 1),
            protocol.Location("_revokedIn"));
        AddOwner(protocol.Thread("owner"), entry, fault);
        AddTrimmer(protocol, protocol.Thread("trimmer"), entry, fault);
        protocol.AtEnd(
            "a top slot whose room was given back keeps no reference", end => end[entry.Top] == 0 || end[entry.HasTop] != 0);
        protocol.AtEnd(
            "an entry whose top slot serves without a lock has room for it",
            end => end[entry.Items] == Revoked || end[entry.HasTop] != 0);
        return protocol;
    }

    private static void AddOwner(ThreadProgram owner, Entry entry, PlantedFault fault)
    {
        Expression seen = owner.Register("items");
        Expression now = owner.Register("now");
        Expression isFree = owner.Register("isTopFree");
        Expression rented = owner.Register("rented");
        for (int buffer = Stale + 1; buffer <= Stale + 2; buffer++)
        {
            int array = buffer;
            owner.From(Fast, "Push");
            owner.Load(seen, entry.Items, "ArrayReference[] items = entry.Items;");
            owner.If(
                seen.Is(TopAlone),
                () =>
                {
                    owner.From(Fast, "ReturnToTop");
                    owner.Store(entry.Top, array, "entry.Top = array;");
                    owner.Store(entry.IsTopFree, 1, "entry.IsTopFree = 1;");
                    if (fault != PlantedFault.TopWithoutRecheck)
                    {
                        owner.Load(now, entry.Items, "Volatile.Read(ref entry.Items) != items", StepOrder.Acquire);
                        owner.If(now.IsNot(seen), () => owner.Store(entry.Top, 0, "entry.Top = null;"));
                    }
                },
                () => AddSlowReturn(owner, entry, array, now, fault));
            owner.From(Fast, "Rent");
            owner.Load(isFree, entry.IsTopFree, "entry.IsTopFree != 0");
            owner.Load(rented, entry.Top, "entry.Top is { } top");
            owner.Check(isFree.Is(0).Or(rented.IsNot(Stale)), "nothing is handed out that is rented out");
            owner.From(Fast, "Rent");
            owner.If(isFree.Is(1).And(rented.IsNot(0)), () => owner.Store(entry.IsTopFree, 0, "entry.IsTopFree = 0;"));
        }
    }

    /// <summary>ArrayClassCache.TryGive, under the section's lock. Without a top slot the buffer goes elsewhere.</summary>
    private static void AddSlowReturn(ThreadProgram owner, Entry entry, int buffer, Expression register, PlantedFault fault)
    {
        entry.AddEnter(owner, register);
        owner.From(Cache, "NoteTrims");
        owner.Load(register, entry.HasTop, "if (_hasTop && entry.Items.Length == 0)");
        owner.If(
            register.Is(1),
            () =>
            {
                owner.Store(entry.Items, TopAlone, "entry.Items = CacheSection.TopAlone;");
                if (fault != PlantedFault.RevocationStands)
                {
                    owner.Store(entry.RevokedIn, 0, "_revokedIn = 0;");
                }

                owner.From(Cache, "TryPlace");
                owner.Store(entry.Top, buffer, "entry.Top = array;");
                owner.Store(entry.IsTopFree, 1, "entry.IsTopFree = 1;");
            });
        entry.AddExit(owner);
    }

    private static void AddTrimmer(Protocol protocol, ThreadProgram trimmer, Entry entry, PlantedFault fault)
    {
        Expression register = trimmer.Register("revokedIn");
        entry.AddEnter(trimmer, register);
        if (fault == PlantedFault.TopBeforeMagazine)
        {
            trimmer.From(Trim, "RevokeTop");
            trimmer.Store(entry.Top, 0, "Volatile.Write(ref entry.Top, null);", StepOrder.Release);
        }

        trimmer.From(Trim, "RevokeMagazine");
        trimmer.Store(entry.Items, Revoked, "Volatile.Write(ref entry.Items, CacheSection.Revoked);", StepOrder.Release);
        trimmer.From(Trim, "Trim");
        trimmer.Store(entry.RevokedIn, Pass, "_revokedIn = isIdle && _hasTop ? pass : 0;");
        entry.AddExit(trimmer);
        if (fault != PlantedFault.TopWithoutFence)
        {
            trimmer.From(Passes, "TrimSections");
            trimmer.ProcessWideBarrier(protocol, "Interlocked.MemoryBarrierProcessWide();");
        }

        entry.AddEnter(trimmer, register);
        trimmer.From(Trim, "RevokeTop");
        trimmer.Load(register, entry.RevokedIn, "if (_revokedIn != pass)");
        trimmer.If(
            register.Is(Pass),
            () =>
            {
                trimmer.Store(entry.RevokedIn, 0, "_revokedIn = 0;");
                if (fault != PlantedFault.TopBeforeMagazine)
                {
                    trimmer.Store(entry.Top, 0, "Volatile.Write(ref entry.Top, null);", StepOrder.Release);
                }

                trimmer.Store(entry.HasTop, 0, "_hasTop = false;");
            });
        entry.AddExit(trimmer);
    }

    private sealed record Entry(int IsHeld, int Items, int Top, int IsTopFree, int HasTop, int RevokedIn)
    {
        internal void AddEnter(ThreadProgram thread, Expression old) => ShortLockSteps.AddEnter(thread, IsHeld, old);

        internal void AddExit(ThreadProgram thread) => ShortLockSteps.AddExit(thread, IsHeld);
    }
}

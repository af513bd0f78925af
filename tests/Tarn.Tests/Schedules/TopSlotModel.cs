using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>
/// An owner returns a buffer to its top slot and rents again, while a trimmer takes the magazine and the top slot back.
/// </summary>
internal static class TopSlotModel
{
    private const string Fast = "src/Tarn/ArrayPool/BufferPool.cs";
    private const string Trim = "src/Tarn/ArrayPool/ArrayClassCache.Trim.cs";
    private const int Revoked = 0;
    private const int Granted = 1;
    private const int Stale = 1;
    private const int Returned = 2;

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        int items = protocol.Location("entry.Items", Granted);
        int top = protocol.Location("entry.Top", Stale);
        int isTopFree = protocol.Location("entry.IsTopFree");
        AddOwner(protocol.Thread("owner"), items, top, isTopFree, fault);
        AddTrimmer(protocol, protocol.Thread("trimmer"), items, top, fault);
        protocol.AtEnd("a top slot whose room was given back keeps no reference", end => end[top] == 0);
        return protocol;
    }

    private static void AddOwner(ThreadProgram owner, int items, int top, int isTopFree, PlantedFault fault)
    {
        Expression seen = owner.Register("items");
        Expression now = owner.Register("now");
        Expression isFree = owner.Register("isTopFree");
        Expression rented = owner.Register("rented");
        owner.From(Fast, "TryPush");
        owner.Load(seen, items, "ArrayReference[] items = entry.Items;");
        owner.If(
            seen.Is(Granted),
            () =>
            {
                owner.From(Fast, "ReturnToTop");
                owner.Store(top, Returned, "entry.Top = array;");
                owner.Store(isTopFree, 1, "entry.IsTopFree = 1;");
                if (fault != PlantedFault.TopWithoutRecheck)
                {
                    owner.Load(now, items, "Volatile.Read(ref entry.Items) != items", StepOrder.Acquire);
                    owner.If(now.IsNot(seen), () => owner.Store(top, 0, "entry.Top = null;"));
                }
            });
        owner.From(Fast, "Rent");
        owner.Load(isFree, isTopFree, "entry.IsTopFree != 0");
        owner.Load(rented, top, "entry.Top is { } top");
        owner.Check(isFree.Is(0).Or(rented.IsNot(Stale)), "nothing is handed out that is rented out");
    }

    private static void AddTrimmer(Protocol protocol, ThreadProgram trimmer, int items, int top, PlantedFault fault)
    {
        if (fault == PlantedFault.TopBeforeMagazine)
        {
            AddRevokeTop(trimmer, top);
        }

        trimmer.From(Trim, "RevokeMagazine");
        trimmer.Store(items, Revoked, "Volatile.Write(ref entry.Items, CacheSection.Revoked);", StepOrder.Release);
        if (fault != PlantedFault.TopWithoutFence)
        {
            trimmer.From("src/Tarn/ArrayPool/PoolTrimmer.cs", "TrimSection");
            trimmer.ProcessWideBarrier(protocol, "Interlocked.MemoryBarrierProcessWide();");
        }

        if (fault != PlantedFault.TopBeforeMagazine)
        {
            AddRevokeTop(trimmer, top);
        }
    }

    private static void AddRevokeTop(ThreadProgram trimmer, int top)
    {
        trimmer.From(Trim, "RevokeTop");
        trimmer.Store(top, 0, "Volatile.Write(ref entry.Top, null);", StepOrder.Release);
    }
}

using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>
/// A reader that held the writer of a topic back is gone. The writer finds that; another reader takes the number, and holds it back.
/// </summary>
internal static class TopicMemberModel
{
    private const string Slots = "src/Tarn.SharedMemory/Topics/TopicSlots.cs";
    private const string Role = "src/Tarn.SharedMemory/Regions/RegionRole.cs";

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        int seat = protocol.Location("seat");
        int holders = protocol.Location("Header->Holders", 1);
        int position = protocol.Location("Header->Positions", 7);
        AddFinder(protocol.Thread("writer"), seat, holders, fault);
        ThreadProgram successor = protocol.Thread("successor");
        Expression old = successor.Register("old");
        Expression isHeld = successor.Register("isHeld");
        successor.From(Role, "TryTake");
        successor.Exchange(old, seat, 1, "seats.TryTake(seat)", until: old.Is(0));
        successor.From(Slots, "Hold");
        successor.Exchange(old, position, 9, "Interlocked.Exchange(ref PositionOf(member), position);");
        successor.Exchange(old, holders, 1, "Interlocked.Or(ref Header->Holders, 1ul << member);");
        successor.Load(isHeld, holders, "(looks whether it holds the writer back)", StepOrder.Acquire);
        successor.Exchange(old, position, 10, "(passes a message)");
        successor.Load(old, holders, "(looks again)", StepOrder.Acquire);
        successor.Set(isHeld, isHeld.And(old));
        protocol.AtEnd("the reader holds the writer back", state => state.Of(successor, isHeld) == 1);
        return protocol;
    }

    /// <summary>RegionMembers.EndIfGone, and a reader that leaves, which has the seat from the beginning.</summary>
    private static void AddFinder(ThreadProgram finder, int seat, int holders, PlantedFault fault)
    {
        Expression old = finder.Register("old");
        finder.From(Role, "TryTake");
        if (fault == PlantedFault.EndHolderWithoutRole)
        {
            finder.Load(old, seat, "(looks at the seat)", StepOrder.Acquire);
        }
        else
        {
            finder.Exchange(old, seat, 1, "seats.TryTake(seat)");
        }

        finder.If(
            old.Is(0),
            () =>
            {
                if (fault == PlantedFault.LeaveBeforeEnd)
                {
                    finder.From(Role, "GiveUp");
                    finder.Exchange(old, seat, 0, "sharers.Region.Seats?.Leave(seat);");
                }

                finder.From(Slots, "EndAllOf");
                finder.Exchange(old, holders, 0, "Interlocked.And(ref Header->Holders, ~(1ul << member));");
                if (fault == PlantedFault.None)
                {
                    finder.From(Role, "GiveUp");
                    finder.Exchange(old, seat, 0, "sharers.Region.Seats?.Leave(seat);");
                }
            });
    }
}

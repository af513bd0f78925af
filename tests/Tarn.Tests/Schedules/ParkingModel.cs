using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>
/// An owner rents twice from a magazine of two buffers; a trimmer comes three times and parks the magazine, or gives it up where the
/// owner did not take it back; another thread takes a buffer it finds in the depot.
/// </summary>
internal static class ParkingModel
{
    private const int Ticks = 3;

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        ParkingEntry entry = ParkingEntry.In(protocol);
        ThreadProgram owner = protocol.Thread("owner");
        ThreadProgram trimmer = protocol.Thread("trimmer");
        ThreadProgram other = protocol.Thread("other");
        ParkingOwner renting = new(owner, entry, fault);
        Expression[] rented = [owner.Register("first"), owner.Register("second")];
        foreach (Expression buffer in rented)
        {
            renting.AddRent(buffer);
        }

        ParkingTrimmer trimming = new(trimmer, entry, fault);
        for (int tick = 0; tick < Ticks; tick++)
        {
            trimming.AddTick();
        }

        Expression found = other.Register("found");
        other.Exchange(found, entry.Depot, 0, "(takes what the depot has)");
        protocol.AtEnd(
            "a buffer is in one place",
            end => AreDifferent(end.Of(owner, rented[0]), end.Of(owner, rented[1]), end.Of(other, found), end[entry.Depot]));
        protocol.AtEnd(
            "the section's slots are those of its magazine",
            end => end[entry.Slots] == ParkingEntry.LengthOf(end[end[entry.Parked] == ParkingEntry.None ? entry.Items : entry.Parked]));
        return protocol;
    }

    private static bool AreDifferent(params int[] buffers)
    {
        int[] there = [.. buffers.Where(static buffer => buffer != 0)];
        return there.Distinct().Count() == there.Length;
    }
}

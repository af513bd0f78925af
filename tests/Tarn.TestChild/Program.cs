using Tarn.TestChild.Misuses;
using Tarn.TestChild.Owners;

namespace Tarn.TestChild;

/// <summary>Runs one scenario that needs a process of its own. Findings go to standard output, one per line.</summary>
internal static class Program
{
    private static readonly Dictionary<string, Action<string[]>> s_scenarios = new()
    {
        ["checks"] = CheckedSharedPool.Run,
        ["settings"] = SettingListeners.Run,
        ["exit"] = WriteBeforeExit.Run,
        ["misuse"] = MisuseCommand.Run,
        ["repeated"] = RepeatedMisuse.Run,
        ["incidents"] = IncidentBeforeExit.Run,
        ["attach"] = ListenerAtStart.Run,
        ["touch"] = TouchMemory.Run,
        ["address-space"] = LittleAddressSpace.Run,
        ["writable"] = LittleWritableMemory.Run,
        ["mappings"] = AllMappings.Run,
        ["heap-limit"] = AddressSpaceLimit.Run,
        ["shared heap in 32 bits"] = SharedHeapIn32Bits.Run,
        ["group limit"] = GroupMemoryLimit.Run,
        ["requests at once"] = RequestsAtOnce.Run,
        ["refused memory"] = RefusedMemory.Run,
        ["idle"] = IdleProgram.Run,
        ["many types"] = ManyElementTypes.Run,
        ["returns without memory"] = ReturnsWithoutMemory.Run,
        ["managed refusals"] = ManagedRefusals.Run,
        ["first refusal"] = FirstRefusal.Run,
        ["heap exit"] = HeapAtExit.Run,
        ["guard"] = GuardedBlock.Run,
        ["listener without files"] = ListenerWithoutFiles.Run,
        ["sharing races"] = SharingRaces.Run,
        ["stream races"] = StreamRaces.Run,
        ["owner races"] = OwnerRaces.Run,
        ["regions"] = RegionCommands.Run,
        ["region-churn"] = RegionChurn.Run,
        ["region-race"] = RegionRace.Run,
        ["ring"] = RingCommands.Run,
        ["ring sides"] = RingSides.Run,
        ["queue"] = QueueCommands.Run,
        ["hostile queue"] = HostileQueue.Run,
        ["topic"] = TopicCommands.Run,
        ["hostile topic"] = HostileTopic.Run,
        ["sharer"] = Sharer.Run,
        ["value writer"] = ValueWriter.Run,
        ["restarts"] = RestartExamples.Run,
        ["hostile ring"] = HostileRing.Run,
        ["spoiled rings"] = SpoiledRings.Run,
        ["ring scribbler"] = RingScribbler.Run,
        ["planted faults"] = PlantedFaults.Run,
        ["phased losses"] = PhasedLosses.Run,
        ["quiet ends"] = QuietEnds.Run,
        ["varied losses"] = VariedLosses.Run,
        ["nothing"] = _ => { },
        ["profiled program"] = ProfiledProgram.Run,
        ["held memory"] = HeldMemory.Run,
        ["scattered arenas"] = ScatteredArenas.Run,
        ["known allocations"] = KnownAllocations.Run,
        ["kept objects"] = KeptObjects.Run,
        ["hostile names"] = HostileNames.Run,
    };

    private static int Main(string[] arguments)
    {
        if (arguments.Length == 0 || !s_scenarios.TryGetValue(arguments[0], out Action<string[]>? run))
        {
            Console.Error.WriteLine($"Scenarios: {string.Join(", ", s_scenarios.Keys)}.");
            return 2;
        }

        run(arguments[1..]);
        return 0;
    }
}

using System.Globalization;

namespace Tarn.TestChild;

/// <summary>
/// Races every member of every stream with Dispose. Arguments: the memory, milliseconds for each member, and where only one member is
/// to race, its name. Writes each race before it begins, because it may end the process, then a line for each violation, and "done".
/// </summary>
internal static class StreamRaces
{
    internal const string Violation = "VIOLATION ";

    internal static void Run(string[] arguments)
    {
        TimeSpan duration = TimeSpan.FromMilliseconds(double.Parse(arguments[1], CultureInfo.InvariantCulture));
        foreach (bool reuses in (bool[])[false, true])
        {
            foreach (RacedMember member in MembersFor(arguments[0]).Where(member => arguments.Length < 3 || member.Name == arguments[2]))
            {
                using RacedMemory memory = RacedMemory.Create(arguments[0]);
                Console.WriteLine($"{member.Name}, {(reuses ? "with" : "without")} reuse");
                if (new DisposalRace(memory, member, reuses).Run(duration) is { } violation)
                {
                    Console.WriteLine(Violation + violation.ReplaceLineEndings(" "));
                }
            }
        }

        Console.WriteLine("done");
    }

    internal static IEnumerable<RacedMember> MembersFor(string memory)
    {
        bool hasArrays = memory.Contains("arrays", StringComparison.Ordinal);
        return memory == "buffer stream"
            ? RacedMember.OfBufferStreams
            : RacedMember.OfPooledStreams.Where(member => hasArrays || !member.IsOfArrays);
    }
}

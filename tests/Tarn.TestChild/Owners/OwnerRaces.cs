using System.Globalization;

namespace Tarn.TestChild.Owners;

/// <summary>
/// Races every member of every owner with Dispose. Arguments: milliseconds for each member, 0 to dispose at each step of it instead, and
/// where only some are to race, the owner's name and the member's. Writes each race before it begins, because it may end the process, then
/// a line for each violation, and "done".
/// </summary>
internal static class OwnerRaces
{
    internal const string Violation = "VIOLATION ";

    internal static void Run(string[] arguments)
    {
        using OwnerSteps? steps = arguments[0] == "0" ? new OwnerSteps() : null;
        TimeSpan duration = TimeSpan.FromMilliseconds(double.Parse(arguments[0], CultureInfo.InvariantCulture));
        foreach (RacedOwner owner in RacedOwner.All.Where(owner => arguments.Length < 2 || owner.Name == arguments[1]))
        {
            foreach (OwnerMember member in owner.Members.Where(member => arguments.Length < 3 || member.Name == arguments[2]))
            {
                Console.WriteLine($"{member.Name} of a {owner.Name}");
                foreach (string violation in steps is null ? Race(owner, member, duration) : steps.Run(owner, member))
                {
                    Console.WriteLine(Violation + violation.ReplaceLineEndings(" "));
                }
            }
        }

        Console.WriteLine("done");
    }

    private static IEnumerable<string> Race(RacedOwner owner, OwnerMember member, TimeSpan duration)
    {
        foreach (bool isChecked in (bool[])[false, true])
        {
            using OwnerMemory memory = new(isChecked, keepsMemory: !isChecked);
            if (new OwnerRace(owner, member, memory).Run(duration) is { } violation)
            {
                yield return violation;
            }
        }
    }
}

using System.CommandLine;
using System.Text.Json;
using Tarn.TestChild;
using Tarn.Torture.Attacks;

namespace Tarn.Torture.Running;

/// <summary>
/// <c>slice</c>: the command that <see cref="SliceProcess"/> starts. It makes one attack and writes the result as one line of JSON. Hidden,
/// because people have no use for it.
/// </summary>
internal static class SliceCommand
{
    internal const string Name = "slice";

    private static readonly Argument<string> s_attack = new("attack");
    private static readonly Argument<int> s_seed = new("seed");
    private static readonly Argument<double> s_seconds = new("seconds");

    internal static Command Create()
    {
        var command = new Command(Name, "One attack in a process of its own.") { Hidden = true };
        command.Arguments.Add(s_attack);
        command.Arguments.Add(s_seed);
        command.Arguments.Add(s_seconds);
        command.SetAction(result =>
        {
            IAttack attack = AttackCatalogue.Select([result.GetValue(s_attack)!])[0];
            Slice slice = new(attack.Name, result.GetValue(s_seed), result.GetValue(s_seconds));
            Console.WriteLine(JsonSerializer.Serialize(Execute(attack, slice)));
            return 0;
        });
        return command;
    }

    /// <summary>
    /// Makes an attack in this process. Whatever it throws is a finding, and so is misuse that the library reports, unless the attack
    /// expects it.
    /// </summary>
    internal static SliceResult Execute(IAttack attack, Slice slice)
    {
        AttackContext context = new(slice.Seed, TimeSpan.FromSeconds(slice.Seconds));
        BufferIncident? incident = null;
        void Note(object? sender, BufferIncident found)
        {
            if (!context.TakeExpected(found))
            {
                Interlocked.CompareExchange(ref incident, found, null);
            }
        }

        BufferDiagnostics.IncidentFound += Note;
        try
        {
            attack.Run(context);
            BufferDiagnostics.Flush();
            return new SliceResult(context.Counts, context.Skipped, incident is null ? null : $"Misuse was reported: {incident}");
        }
#pragma warning disable CA1031 // whatever it is, it is a finding
        catch (Exception e)
#pragma warning restore CA1031
        {
            return new SliceResult(context.Counts, context.Skipped, e.ToString());
        }
        finally
        {
            BufferDiagnostics.IncidentFound -= Note;
        }
    }
}

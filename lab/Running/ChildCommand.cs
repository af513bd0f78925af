using System.CommandLine;
using System.Text.Json;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Running;

/// <summary>
/// <c>child</c>: what <see cref="ChildProcess"/> starts. It runs one job in a process that does nothing else, and writes the results as one
/// line of JSON. It is hidden, because it is not for users.
/// </summary>
internal static class ChildCommand
{
    private static readonly Argument<string> s_job = new("job");
    private static readonly Argument<string[]> s_arguments = new("arguments") { Arity = ArgumentArity.ZeroOrMore };

    public static Command Create()
    {
        var command = new Command(ChildProcess.Command, "One job of an experiment in a process of its own.") { Hidden = true };
        command.Arguments.Add(s_job);
        command.Arguments.Add(s_arguments);
        command.SetAction(result => LabCommand.GuardedMeasurement(() => Run(result.GetValue(s_job)!, result.GetValue(s_arguments) ?? [])));
        return command;
    }

    private static int Run(string job, string[] arguments)
    {
        Console.WriteLine(JsonSerializer.Serialize(ChildJobs.Find(job).Run(arguments)));
        return 0;
    }
}

using System.CommandLine;
using System.Diagnostics;
using Tarn.Traces;

namespace Tarn.Tool.Commands;

/// <summary>
/// <c>keep-port</c>: not for users. The process that keeps the port of a recording open when the recording has ended.
/// </summary>
internal static class KeepPortCommand
{
    private const string Name = "keep-port";

    private static readonly Argument<string> s_address = new("address") { Description = "The address of the port." };

    public static Command Create()
    {
        var command = new Command(Name, "Keeps a port open.") { Hidden = true };
        command.Arguments.Add(s_address);
        command.SetAction(line => ToolCommand.Guarded(() => Run(line.GetValue(s_address)!)));
        return command;
    }

    /// <summary>How to start this command, without its argument. Null where that is not known.</summary>
    public static ProcessStartInfo? Start()
    {
        if (Environment.ProcessPath is not { } program)
        {
            return null;
        }

        // The muxer starts the assembly; an executable of the tool's own starts itself.
        string assembly = typeof(KeepPortCommand).Assembly.Location;
        bool isMuxer = Path.GetFileNameWithoutExtension(program).Equals("dotnet", StringComparison.OrdinalIgnoreCase);
        return isMuxer ? new ProcessStartInfo(program, [assembly, Name]) : new ProcessStartInfo(program, [Name]);
    }

    private static int Run(string address)
    {
        PortKeeper.RunAsync(address, Console.OpenStandardInput()).GetAwaiter().GetResult();
        return 0;
    }
}

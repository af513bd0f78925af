using System.Buffers;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using Tarn.Sanitizing.Grafting;
using Tarn.Sanitizing.Platform;

namespace Tarn.Sanitizing.Launching;

/// <summary>Moves a process to a framework whose array pools ask the sanitizer first.</summary>
/// <remarks>
/// The process begins again: on Linux and macOS another program takes its place, with the same id, arguments, folder and streams; on
/// Windows a child process does the work. It does so before the program's first instruction, and once only.
/// </remarks>
internal static class Launch
{
    private const string ProfileVariable = "DOTNET_TieredPGO";

    private static SafeFileHandle? s_held;

    /// <summary>Returns whether this process runs on such a framework. May not return: the process then begins again on one.</summary>
    public static bool Enter(SanitizerSettings settings)
    {
        if (settings.Root is null)
        {
            return false;
        }

        if (settings.Get(SanitizerSettings.ProcessKey) is { } part && !UserProcesses.Matches(part, HostSystem.CommandLine, CommandLine))
        {
            Tell(settings, LaunchLog.Unasked);
            return false;
        }

        bool again = ReentryMark.Take();
        if (IsGrafted())
        {
            Hold();
            Tell(settings, null);
            return true;
        }

        try
        {
            Tell(settings, again
                ? $"it began again, but still runs on {typeof(object).Assembly.Location}, whose pools do not ask"
                : Begin(new PrivateCopies(settings.Root)));
        }
        catch (Exception exception)
        {
            Tell(settings, exception is GraftException or IOException or UnauthorizedAccessException
                ? exception.Message
                : exception.ToString());
        }

        return false;
    }

    /// <summary>Whether the pools ask: it rents a buffer and listens.</summary>
    private static bool IsGrafted()
    {
        bool asked = false;
        AppContext.SetData(CoreLibGraft.HookName, (Func<object, Type, object?>)((_, _) =>
        {
            asked = true;
            return null;
        }));
        ArrayPool<byte>.Shared.Return(ArrayPool<byte>.Shared.Rent(1));
        AppContext.SetData(CoreLibGraft.HookName, null);
        return asked;
    }

    /// <summary>Begins again, or returns why that is not possible.</summary>
    private static string Begin(PrivateCopies copies)
    {
        string coreLib = typeof(object).Assembly.Location;
        if (coreLib.Length == 0)
        {
            return "the program is a single file that brings its own framework; publish it without PublishSingleFile or without "
                + "--self-contained";
        }

        string framework = Path.GetDirectoryName(coreLib)!;
        string executable = Environment.ProcessPath ?? "";
        Guid module = typeof(object).Module.ModuleVersionId;
        List<(string, string)> variables = [];
        PrivateCopy copy;
        if (PrivateCopies.IsShared(framework))
        {
            copy = copies.OfInstallation(framework, module);
            string muxer = Path.Combine(copy.Folder, HostSystem.Muxer);
            if (!HostSystem.CanExecute(muxer))
            {
                return $"no program can be run from {copy.Folder}; set {SanitizerSettings.RootVariable} to a folder where that is allowed";
            }

            if (Path.GetFileName(executable) == HostSystem.Muxer)
            {
                executable = muxer;
            }
            else
            {
                // The program's own host looks here first.
                variables.Add(($"DOTNET_ROOT_{RuntimeInformation.ProcessArchitecture.ToString().ToUpperInvariant()}", copy.Folder));
            }
        }
        else if (framework == Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory))
        {
            string name = Path.GetFileName(executable);
            copy = copies.OfApplication(framework, name, Path.GetFileNameWithoutExtension(Environment.GetCommandLineArgs()[0]), module);
            executable = Path.Combine(copy.Folder, name);
        }
        else
        {
            return $"its framework lies in {framework}, which is neither an installation of .NET nor the program's folder";
        }

        if (copy.IsComposite)
        {
            variables.Add(("DOTNET_ReadyToRun", "0"));
        }

        if (Environment.GetEnvironmentVariable(ProfileVariable) is null)
        {
            // To profile code, the runtime compiles it once more. That is a third of what checks cost a process of some seconds.
            variables.Add((ProfileVariable, "0"));
        }

        ReentryMark.Leave(variables);
        string reason = HostSystem.BeginAgain(executable);
        _ = ReentryMark.Take();
        return $"{executable} cannot be run: {reason}";
    }

    /// <summary>The program's file and its arguments.</summary>
    private static string CommandLine => string.Join(' ', Environment.GetCommandLineArgs());

    /// <summary>Nobody is to remove the copy that this process runs on.</summary>
    private static void Hold()
    {
        try
        {
            s_held = PrivateCopy.HoldOwn();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Who looks at it right now leaves it alone, as this process just noted that it uses it.
        }
    }

    /// <summary>To the tool; if that has ended and its folder is gone, only what goes wrong, and to the user.</summary>
    private static void Tell(SanitizerSettings settings, string? refusal)
    {
        if (Directory.Exists(settings.Reports))
        {
            try
            {
                LaunchLog.Write(settings.Reports, refusal);
            }
            catch (IOException)
            {
                ReportLoss.Note(settings.Reports);
            }
        }
        else if (refusal is not (null or LaunchLog.Unasked))
        {
            Console.Error.WriteLine($"tarn: this process is not checked: {refusal}");
        }
    }
}

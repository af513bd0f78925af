using System.Runtime.InteropServices;
using Tarn.Sanitizing.Checking.Reporting;
using Tarn.Sanitizing.Grafting;

namespace Tarn.Sanitizing.Checking;

/// <summary>Checks what a process rents from its array pools.</summary>
internal static class Sanitizer
{
    /// <summary>
    /// The name in <see cref="AppContext"/> of an <see cref="Action"/> that verifies the returned buffers now: for a test that wants to see
    /// a write after return before it ends.
    /// </summary>
    internal const string VerifyName = "Tarn.Sanitizer.Verify";

    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(1);

    /// <summary>Answers the pools from now on.</summary>
    public static void Start(SanitizerSettings settings)
    {
        Inside.Enter();
        try
        {
            ReportFile file = ReportFile.Create(settings.Reports);
            CheckerOptions options = CheckerOptions.Parse(settings.Options);
            var checker = new Checker(options, file);
            file.Write(
                new JsonLine("start").Add("process", Environment.ProcessId).Add("command", Environment.CommandLine)
                    .Add("runtime", RuntimeInformation.FrameworkDescription).Add("stacks", options.Stacks.ToString())
                    .Add("recognizes", checker.Stacks.Recognizes ? 1 : 0));
            foreach (string complaint in options.Complaints)
            {
                file.Write(new JsonLine("complaint").Add("text", $"{SanitizerSettings.OptionsVariable}: {complaint} It is ignored."));
            }

            Watch(checker);
            AppContext.SetData(VerifyName, (Action)checker.Verify);
            AppContext.SetData(CoreLibGraft.HookName, (Func<object, Type, object?>)checker.Find);
        }
        finally
        {
            Inside.Leave();
        }
    }

    private static void Watch(Checker checker)
    {
        AppDomain.CurrentDomain.ProcessExit += (_, _) => checker.End(collects: true);
        AppDomain.CurrentDomain.UnhandledException += (_, _) => checker.End(collects: false);

        // No timer: it would take threads of the program's pool.
        new Thread(() =>
        {
            while (true)
            {
                Thread.Sleep(s_interval);
                checker.Verify();
            }
        })
        {
            IsBackground = true,
            Name = "tarn: verify",
        }.Start();
    }
}

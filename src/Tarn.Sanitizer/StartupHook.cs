using Tarn.Sanitizing;
using Tarn.Sanitizing.Checking;
using Tarn.Sanitizing.Launching;

/// <summary>
/// What the runtime calls before <c>Main</c> of each process that <c>tarn sanitize</c> started, directly or not. The runtime looks for
/// this name, outside of all namespaces.
/// </summary>
internal class StartupHook
{
    /// <summary>Never throws: the program is not to end because of what watches it.</summary>
    public static void Initialize()
    {
        try
        {
            if (SdkProcess.IsOne(AppContext.BaseDirectory))
            {
                return;
            }

            SanitizerSettings settings = SanitizerSettings.ReadEnvironment();
            if (Launch.Enter(settings))
            {
                Sanitizer.Start(settings);
            }
        }
        catch (Exception exception)
        {
            Console.Error.WriteLine($"tarn: this process is not checked: {exception}");
        }
    }
}

using Tarn.Sanitizing;
using Tarn.Sanitizing.Checking;
using Tarn.Sanitizing.Launching;

/// <summary>
/// What Tarn.Sanitizer.Hook calls before <c>Main</c> of each process that can be checked. The runtime finds it too if this assembly is
/// itself the startup hook.
/// </summary>
internal class StartupHook
{
    /// <summary>Never throws: the program is not to end because of what watches it.</summary>
    public static void Initialize()
    {
        try
        {
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

using System.Globalization;
using System.Reflection;
using System.Runtime.InteropServices;
using Tarn.TestRun;

// Runs tests where no test platform runs: on another system's API, another processor or another runtime.
if (!RunSettings.TryParse(args, out RunSettings settings, out string complaint))
{
    Console.Error.WriteLine(complaint);
    return 2;
}

RunCount count = new(settings);

// Wine draws no text well that its code page lacks; redirected, both are bytes.
Console.OutputEncoding = System.Text.Encoding.UTF8;
foreach (string assembly in settings.Assemblies)
{
    new AssemblyRun(Assembly.Load(assembly), settings, count).Run();
}

foreach ((string reason, int tests) in count.Reasons.OrderByDescending(static reason => reason.Value))
{
    Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{tests} skipped: {reason}"));
}

Console.WriteLine(string.Create(
    CultureInfo.InvariantCulture,
    $"{RuntimeInformation.FrameworkDescription}, {RuntimeInformation.RuntimeIdentifier}: {count.Passed} passed, {count.Failed} failed, "
    + $"{count.Skipped} skipped"));
return count is { Failed: 0, Passed: > 0 } ? 0 : 1;

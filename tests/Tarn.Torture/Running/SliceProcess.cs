using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Tarn.Torture.Children;

namespace Tarn.Torture.Running;

/// <summary>Makes an attack in a process of its own: one that crashes or hangs is a finding as well, and the run goes on.</summary>
internal static class SliceProcess
{
    /// <summary>More than any attack needs beyond its time, on a machine that does much else.</summary>
    private static readonly TimeSpan s_grace = TimeSpan.FromMinutes(4);

    internal static SliceResult Execute(Slice slice)
    {
        using Process process = ChildProgram.Start(
            "Tarn.Torture.dll",
            [
                SliceCommand.Name, slice.Attack, slice.Seed.ToString(CultureInfo.InvariantCulture),
                slice.Seconds.ToString("R", CultureInfo.InvariantCulture),
            ]);
        try
        {
            (int exitCode, string output, string error) = ChildProgram.WaitForEnd(process, TimeSpan.FromSeconds(slice.Seconds) + s_grace);
            return exitCode == 0 && TryRead(output) is { } result
                ? result
                : SliceResult.Found($"The attack's process ended with exit code {exitCode}: {output}{error}".TrimEnd());
        }
        catch (TimeoutException e)
        {
            return SliceResult.Found($"The attack hangs. {e.Message}".TrimEnd());
        }
    }

    private static SliceResult? TryRead(string output)
    {
        try
        {
            return JsonSerializer.Deserialize<SliceResult>(output);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}

using System.Globalization;

namespace Tarn.Diagnostics;

/// <summary>Reads the environment variable that turns sampling on for a whole process.</summary>
internal static class SamplingEnvironment
{
    internal const string Variable = "TARN_SAMPLE_INTERVAL";

    /// <summary>The values that are understood.</summary>
    internal const string Known = "a number of bytes such as 524288, or 0 for none";

    private static int s_isRead;
    private static string? s_complaint;

    /// <summary>A message that names the variable's value if it was not understood; otherwise null.</summary>
    internal static string? Complaint => Volatile.Read(ref s_complaint);

    /// <summary>Begins sampling if the variable asks for it, once in a process.</summary>
    internal static void Apply()
    {
        if (Volatile.Read(ref s_isRead) != 0 || Interlocked.Exchange(ref s_isRead, 1) != 0)
        {
            return;
        }

        string? value = Uninterrupted.Get(static () => Environment.GetEnvironmentVariable(Variable));
        if (string.IsNullOrWhiteSpace(value))
        {
            return;
        }

        if (!TryParse(value, out long interval))
        {
            s_complaint = $"{Variable}=\"{value}\" was ignored; set {Known}. Nothing is sampled.";
            StandardError.WriteLine(s_complaint);
        }
        else if (interval > 0)
        {
            BufferSampling.Start(new SamplingOptions(interval, BufferSampling.NewSeed()));
        }
    }

    /// <summary>Parses a number of bytes, 0 or more.</summary>
    internal static bool TryParse(string? text, out long interval) =>
        long.TryParse(text?.Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out interval);
}

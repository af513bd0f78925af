namespace Tarn.Sanitizing.Checking;

/// <summary>Checks what a process rents from its array pools.</summary>
internal static class Sanitizer
{
    /// <summary>Answers the pools from now on.</summary>
    public static void Start(SanitizerSettings settings) => _ = settings.Reports;
}

namespace Tarn.Diagnostics;

/// <summary>The settings that the checks of pools and heaps share.</summary>
internal static class CheckSettings
{
    /// <summary>The most bytes a quarantine keeps.</summary>
    internal const long MostKeptBytes = 256 << 20;
}

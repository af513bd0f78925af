namespace Tarn;

/// <summary>What the checks of pools and those of heaps have in common.</summary>
internal static class CheckSettings
{
    /// <summary>No quarantine keeps more, in bytes.</summary>
    internal const long MostKeptBytes = 256 << 20;
}

namespace Tarn;

/// <summary>What the checks of pools and those of heaps have in common.</summary>
internal static class CheckSettings
{
    /// <summary>What buffers that came back are filled with: no character, no small number, and eight of it are no address.</summary>
    internal const byte Poison = 0xDB;

    /// <summary>No quarantine keeps more, in bytes.</summary>
    internal const long MostKeptBytes = 256 << 20;
}

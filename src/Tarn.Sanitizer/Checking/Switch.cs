namespace Tarn.Sanitizing.Checking;

/// <summary>The words for on and off.</summary>
internal static class Switch
{
    internal static bool? Parse(string text) => text.ToUpperInvariant() switch
    {
        "ON" or "TRUE" or "YES" or "1" => true,
        "OFF" or "FALSE" or "NO" or "0" => false,
        _ => null,
    };
}

using System.Globalization;

namespace Tarn.Sanitizing.Checking;

/// <summary>
/// The places at which a check is on: none, all, or those whose hash is in a range, which is how <c>--bisect</c> halves them.
/// </summary>
internal readonly record struct SiteRange(uint First, uint Last, bool IsEmpty = false)
{
    internal static SiteRange None { get; } = new(0, 0, IsEmpty: true);

    internal static SiteRange All { get; } = new(0, uint.MaxValue);

    internal bool IsAll => this == All;

    /// <summary>Whether the check is on at a place.</summary>
    internal bool Has(RecordedStack stack) => IsAll || (!IsEmpty && Has(PlaceName.Hash(stack.Site)));

    internal bool Has(uint hash) => !IsEmpty && hash >= First && hash <= Last;

    /// <summary>Reads <c>on</c>, <c>off</c> or two hexadecimal numbers with a hyphen; null if it is none of them.</summary>
    internal static SiteRange? Parse(string text)
    {
        if (Switch.Parse(text) is { } isOn)
        {
            return isOn ? All : None;
        }

        int hyphen = text.IndexOf('-', StringComparison.Ordinal);
        return hyphen > 0
            && uint.TryParse(text.AsSpan(0, hyphen), NumberStyles.HexNumber, CultureInfo.InvariantCulture, out uint first)
            && uint.TryParse(text.AsSpan(hyphen + 1), NumberStyles.HexNumber, CultureInfo.InvariantCulture, out uint last)
            && first <= last
                ? new SiteRange(first, last)
                : null;
    }

    public override string ToString() => IsAll ? "on" : IsEmpty ? "off" : $"{First:x8}-{Last:x8}";
}

namespace Tarn.Sanitizing.Checking;

/// <summary>What a place does.</summary>
[Flags]
internal enum SiteRole
{
    None = 0,
    Rents = 1,
    Returns = 2,
}

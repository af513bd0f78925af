namespace Tarn.Tests.Refusals;

/// <summary>What a pool or heap is made with, and who watches it.</summary>
/// <param name="Checks">The checks that it makes.</param>
/// <param name="Clears">Whether it clears what comes back.</param>
/// <param name="IsTraced">Whether a listener hears each rent and return.</param>
/// <param name="IsSampled">Whether each rent is sampled.</param>
public sealed record Company(BufferChecks Checks, bool Clears, bool IsTraced, bool IsSampled)
{
    internal static TheoryData<Company> All =>
    [
        new(BufferChecks.None, false, false, false),
        new(BufferChecks.None, true, false, false),
        new(BufferChecks.None, false, true, false),
        new(BufferChecks.None, false, false, true),
        new(BufferChecks.None, true, true, true),
        new(BufferChecks.Returns, false, true, false),
        new(BufferChecks.Leaks, false, true, true),
        new(BufferChecks.All, true, true, true),
    ];
}

namespace Tarn.Tests.Primitives;

public sealed class ThrowTests
{
    [Fact]
    public void A_refused_setting_is_named_with_its_value_and_the_allowed_values()
    {
        Throw.UnlessAllowed(true, "options", "Size", 3, "1 to 3");

        ArgumentOutOfRangeException thrown = Assert.Throws<ArgumentOutOfRangeException>(
            "options", () => Throw.UnlessAllowed(false, "options", "Size", 4, "1 to 3"));
        Assert.Equal(4, thrown.ActualValue);
        Assert.Contains("Size must be 1 to 3.", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_broken_invariant_is_named()
    {
        Throw.UnlessHolds(true, "one is one");

        Assert.Equal(
            "Invariant broken: one is two.",
            Assert.Throws<InvalidOperationException>(() => Throw.UnlessHolds(false, "one is two")).Message);
    }
}

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Names of regions: a name that is valid on some systems only is valid on none.</summary>
public sealed class RegionNameTests
{
    [Theory]
    [InlineData("a")]
    [InlineData("A-b_c.9")]
    [InlineData(".a")]
    [InlineData("a..b")]
    [InlineData("-")]
    public void Letters_digits_and_three_marks_make_a_name(string name) => Assert.Equal("tarn." + name, RegionNames.ToFileName(name));

    [Fact]
    public void A_name_has_up_to_128_characters()
    {
        Assert.Equal(133, RegionNames.ToFileName(new string('x', 128)).Length);
        ArgumentException thrown = AssertRefused(new string('x', 129));
        Assert.Contains("129", thrown.Message, StringComparison.Ordinal);
        Assert.Contains("has 0", AssertRefused("").Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("a/b", "'/' (U+002F) at 1")]
    [InlineData("/a", "'/' (U+002F) at 0")]
    [InlineData("../a", "'/' (U+002F) at 2")]
    [InlineData("a\\b", "'\\' (U+005C) at 1")]
    [InlineData("a~b", "'~' (U+007E) at 1")]
    [InlineData("C:a", "':' (U+003A) at 1")]
    [InlineData("a b", "' ' (U+0020) at 1")]
    [InlineData("a*", "'*' (U+002A) at 1")]
    [InlineData("a?", "'?' (U+003F) at 1")]
    [InlineData("ä", "'ä' (U+00E4) at 0")]
    [InlineData("aＡ", "(U+FF21) at 1")]
    [InlineData("a😀", "(U+D83D) at 1")]
    [InlineData("a\0", "(U+0000) at 1")]
    [InlineData("a\n", "(U+000A) at 1")]
    public void Any_other_character_is_refused_and_named(string name, string told) =>
        Assert.Contains(told, AssertRefused(name).Message, StringComparison.Ordinal);

    [Fact]
    public void Of_all_characters_only_those_are_taken()
    {
        for (int character = 0; character <= char.MaxValue; character++)
        {
            bool isAllowed = char.IsAsciiLetterOrDigit((char)character) || "-_.".Contains((char)character, StringComparison.Ordinal);
            string name = (char)character + "x";
            if (isAllowed)
            {
                Assert.Equal("tarn." + name, RegionNames.ToFileName(name));
            }
            else
            {
                Assert.Throws<ArgumentException>(() => RegionNames.ToFileName(name));
            }
        }
    }

    [Theory]
    [InlineData(".")]
    [InlineData("..")]
    [InlineData("a.")]
    public void A_name_does_not_end_in_a_dot(string name) => AssertRefused(name);

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("a/b")]
    [InlineData("..")]
    public void Every_method_that_takes_a_name_looks_at_it(string? name)
    {
        Action[] calls =
        [
            () => SharedRegion.Create(name!, 1).Dispose(),
            () => SharedRegion.Open(name!).Dispose(),
            () => SharedRegion.CreateOrOpen(name!, 1).Dispose(),
            () => SharedRegion.Delete(name!),
        ];
        Assert.All(calls, call => Assert.Equal("name", Assert.ThrowsAny<ArgumentException>(call).ParamName));
        if (name is null)
        {
            Assert.All(calls, call => Assert.Throws<ArgumentNullException>(call));
        }
    }

    private static ArgumentException AssertRefused(string name)
    {
        ArgumentException thrown = Assert.Throws<ArgumentException>(() => RegionNames.ToFileName(name));
        Assert.Contains($"\"{name}\"", thrown.Message, StringComparison.Ordinal);
        Assert.Equal("name", thrown.ParamName);
        return thrown;
    }
}

namespace Tarn.Sanitizing.Tests;

public class SanitizerSettingsTests
{
    [Theory]
    [InlineData("halt=on:quarantine=8", "quarantine", "8")]
    [InlineData(@"log=C:\logs\a:halt=on", "log", @"C:\logs\a")]
    [InlineData("a=b=c", "a", "b=c")]
    [InlineData("", "a", null)]
    [InlineData("nonsense:a=1", "a", "1")]
    public void Options_are_read_by_their_names(string text, string key, string? value) =>
        Assert.Equal(value, SanitizerSettings.Parse(text).GetValueOrDefault(key));
}

using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics;

public class EnvironmentTests
{
    [Theory]
    [InlineData(null, false, false, 0)]
    [InlineData("", false, false, 0)]
    [InlineData("none", false, false, 0)]
    [InlineData("sampled", false, false, 10)]
    [InlineData("all", true, true, 1280)]
    [InlineData("Returns, useAfterReturn", true, true, 0)]
    [InlineData("leaks", false, false, 1280)]
    [InlineData("returns,sampled", true, false, 10)]
    [InlineData("returns,misspelt", true, false, 0)]
    [InlineData("returns;leaks", true, false, 1280)]
    [InlineData("true", false, false, 0)]
    [InlineData("15", false, false, 0)]
    [InlineData("guardPages", false, false, 0)]
    [InlineData("returns,guardPages", true, false, 0)]
    public void The_environment_variable_turns_the_shared_pools_checks_on(string? value, bool returns, bool writes, int leaks)
    {
        string[] lines = ChildProcess.Run(["checks", $"{leaks}", $"{writes}"], (BufferChecksEnvironment.Variable, value));

        Assert.Equal([$"returns={returns}", $"writes={writes}", $"leaks={leaks}"], lines);
    }

    [Theory]
    [InlineData(null, BufferChecks.None)]
    [InlineData(" ALL ", BufferChecks.All)]
    [InlineData("none,leaks", BufferChecks.Leaks)]
    [InlineData("SampledLeaks", BufferChecks.SampledLeaks)]
    [InlineData("returns,,useafterreturn,", BufferChecks.Returns | BufferChecks.UseAfterReturn)]
    [InlineData("guardpages", BufferChecks.GuardPages)]
    [InlineData("all,guardPages", BufferChecks.All | BufferChecks.GuardPages)]
    [InlineData("all,guard", BufferChecks.All | BufferChecks.GuardPages)]
    [InlineData("returns leaks", BufferChecks.Returns | BufferChecks.Leaks)]
    [InlineData("returns;leaks", BufferChecks.Returns | BufferChecks.Leaks)]
    [InlineData(" ; , ", BufferChecks.None)]
    public void Names_are_read_whatever_their_case(string? value, BufferChecks checks)
    {
        Assert.Equal(checks, BufferChecksEnvironment.Parse(value, out string? complaint));
        Assert.Null(complaint);
    }

    [Theory]
    [InlineData("fromEnvironment", BufferChecks.None, "\"fromEnvironment\"")]
    [InlineData("-1", BufferChecks.None, "\"-1\"")]
    [InlineData("11", BufferChecks.None, "\"11\"")]
    [InlineData("true", BufferChecks.None, "\"true\"")]
    [InlineData("returns|leaks", BufferChecks.None, "\"returns|leaks\"")]
    [InlineData("all,gaurd,x", BufferChecks.All, "\"gaurd\", \"x\"")]
    public void Unknown_words_are_ignored_and_reported(string value, BufferChecks checks, string ignored)
    {
        Assert.Equal(checks, BufferChecksEnvironment.Parse(value, out string? complaint));
        Assert.StartsWith($"TARN_CHECKS=\"{value}\": ignored {ignored}; ", complaint, StringComparison.Ordinal);
        Assert.EndsWith($" In effect: {checks}.", complaint, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("all", "")]
    [InlineData("returns,misspelt", "Tarn: TARN_CHECKS=\"returns,misspelt\": ignored \"misspelt\"; ")]
    public void Standard_error_has_a_line_when_something_is_ignored(string value, string beginning)
    {
        (int exitCode, _, string error) =
            ChildProcess.RunToEnd(["checks", "0", "False"], limits: null, (BufferChecksEnvironment.Variable, value));

        Assert.Equal(0, exitCode);
        Assert.StartsWith(beginning, error, StringComparison.Ordinal);
        Assert.Equal(beginning.Length > 0 ? 1 : 0, ChildProcess.Lines(error).Length);
    }

    [Fact]
    public void Each_listener_gets_an_event_when_something_is_ignored()
    {
        string[] lines = ChildProcess.Run(["settings"], (BufferChecksEnvironment.Variable, "misspelt"));

        // A listener gets it again when another one comes.
        Assert.Equal(["early", "late"], lines.Select(static line => line.Split(':')[0]).Distinct().Order());
        Assert.All(
            lines, static line => Assert.Contains(": SettingIgnored: TARN_CHECKS=\"misspelt\": ignored", line, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(BufferChecks.None, BufferChecks.None)]
    [InlineData(BufferChecks.Leaks, BufferChecks.Leaks)]
    [InlineData(BufferChecks.Returns | BufferChecks.FromEnvironment, BufferChecks.Returns)]
    [InlineData(BufferChecks.GuardPages, BufferChecks.GuardPages)]
    public void The_options_of_a_pool_take_precedence_over_the_environment(BufferChecks asked, BufferChecks made) =>
        Assert.Equal(made, BufferChecksEnvironment.Resolve(asked, "options"));

    [Fact]
    public void An_array_pool_ignores_checks_that_only_native_heaps_can_make()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.GuardPages });
        for (int i = 0; i < 10; i++)
        {
            pool.Return(pool.Rent(100));
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        pool.Return(pool.Rent(100));

        // A checked pool notes a stack.
        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
    }

    [Fact]
    public void A_flag_without_a_name_is_refused()
    {
        ArgumentOutOfRangeException thrown = Assert.Throws<ArgumentOutOfRangeException>(
            () => BufferPool<byte>.Create(new BufferPoolOptions { Checks = (BufferChecks)32 }));
        Assert.Equal("options", thrown.ParamName);
    }
}

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
    [InlineData("returns,misspelt", false, false, 0)]
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
    [InlineData("fromEnvironment", BufferChecks.None)]
    [InlineData("-1", BufferChecks.None)]
    [InlineData("returns leaks", BufferChecks.None)]
    public void Names_are_read_whatever_their_case_and_anything_else_is_none(string? value, BufferChecks checks) =>
        Assert.Equal(checks, BufferChecksEnvironment.Parse(value));

    [Theory]
    [InlineData(BufferChecks.None, BufferChecks.None)]
    [InlineData(BufferChecks.Leaks, BufferChecks.Leaks)]
    [InlineData(BufferChecks.Returns | BufferChecks.FromEnvironment, BufferChecks.Returns)]
    [InlineData(BufferChecks.GuardPages, BufferChecks.GuardPages)]
    public void A_pool_that_says_what_it_checks_is_asked_before_the_environment(BufferChecks asked, BufferChecks made) =>
        Assert.Equal(made, BufferChecksEnvironment.Resolve(asked, "options"));

    [Fact]
    public void An_array_pool_ignores_what_only_native_heaps_can_do()
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

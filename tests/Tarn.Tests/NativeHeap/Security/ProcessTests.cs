using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps.Security;

/// <summary>Tests that need a process of its own: its end, and accesses that end it.</summary>
public class ProcessTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_late_write_an_overrun_and_leaks_are_found_when_the_process_ends(bool callsExit)
    {
        string[] lines = ChildProcess.Run(callsExit ? ["heap exit", "Environment.Exit"] : ["heap exit"]);

        Assert.Equal(
            [
                "Leak left 240 by AllocateLeaked", "Leak left 70 by AllocateOverrun", "Overrun left 70 by AllocateOverrun",
                "UseAfterReturn left 60 by AllocateWritten", "ending",
            ],
            lines.Order(StringComparer.Ordinal));
        Assert.Equal("ending", lines[0]);
    }

    [Theory]
    [InlineData("past", 64, "WritePastTheEnd")]
    [InlineData("past", 4096, "WritePastTheEnd")]
    [InlineData("past", 1 << 20, "WritePastTheEnd")]
    [InlineData("read", 64, "ReadPastTheEnd")]
    [InlineData("late", 24, "WriteLate")]
    public void The_instruction_that_misuses_a_guarded_block_faults_and_its_method_is_named(string misuse, int size, string method)
    {
        (int exitCode, string output, string error) = ChildProcess.RunToEnd(["guard", misuse, $"{size}"], limits: null);

        Assert.NotEqual(0, exitCode);
        Assert.DoesNotContain("survived", output, StringComparison.Ordinal);
        Assert.Contains("AccessViolationException", error, StringComparison.Ordinal);
        Assert.Contains($"GuardedBlock.{method}(", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(100)]
    [InlineData(10_000)]
    public void Correct_use_of_guarded_blocks_ends_nothing(int size) =>
        Assert.Equal(["survived"], ChildProcess.Run(["guard", "none", $"{size}"]));
}

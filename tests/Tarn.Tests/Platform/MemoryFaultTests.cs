using Tarn.Tests.Support;

namespace Tarn.Tests.Platform;

/// <summary>Accesses to uncommitted memory, in a process that does not survive them.</summary>
public sealed class MemoryFaultTests
{
    [Theory]
    [InlineData("reserved", "read")]
    [InlineData("reserved", "write")]
    [InlineData("sealed", "read")]
    [InlineData("sealed", "write")]
    [InlineData("beside", "read")]
    public void Every_access_to_memory_that_is_not_committed_faults(string state, string access)
    {
        (int exitCode, string output, string error) = ChildProcess.RunToEnd(["touch", state, access], limits: null);

        Assert.NotEqual(0, exitCode);
        Assert.Equal(["prepared"], ChildProcess.Lines(output));
        Assert.Contains(nameof(AccessViolationException), error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("read")]
    [InlineData("write")]
    public void No_access_to_committed_memory_does(string access) =>
        Assert.Equal(["prepared", "survived"], ChildProcess.Run(["touch", "committed", access]));
}

using System.Diagnostics;
using System.Runtime.InteropServices;
using Tarn.Tests.Support;
using Tarn.Torture.Children;

namespace Tarn.Tests.Stress;

/// <summary>A call of a native heap that is refused managed memory, at any place, has changed nothing.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class ManagedRefusalTests
{
    /// <summary>The runtime's own threads may end a process that runs out of memory.</summary>
    private const int Attempts = 3;

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);

    [Fact]
    public void Every_call_of_a_heap_is_refused_memory_at_every_place_and_the_heap_holds()
    {
        if (!RuntimeInformation.IsOSPlatform(OSPlatform.Linux))
        {
            return;
        }

        for (int attempt = 1; ; attempt++)
        {
            (int exitCode, string output, string error) = Run();
            string[] lines = ChildProcess.Lines(output);
            Assert.All(lines, static line => Assert.EndsWith(": held", line, StringComparison.Ordinal));
            if (exitCode == 0)
            {
                Assert.Equal(10, lines.Length);
                return;
            }

            Assert.True(
                attempt < Attempts && !error.Contains("at Tarn.", StringComparison.Ordinal), $"Exit code {exitCode}: {output}{error}");
        }
    }

    private static (int ExitCode, string Output, string Error) Run()
    {
        using Process process = ChildProcess.Start(
            ["managed refusals", StressLength.IsLong ? "12" : "2"], limits: null, ChildProgram.FillsManagedHeap);
        return ChildProgram.WaitForEnd(process, s_limit);
    }
}

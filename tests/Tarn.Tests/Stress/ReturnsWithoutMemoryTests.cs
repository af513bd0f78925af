using System.Diagnostics;
using System.Runtime.InteropServices;
using Tarn.Tests.Support;
using Tarn.Torture.Children;

namespace Tarn.Tests.Stress;

/// <summary>A return never fails for lack of managed memory, whatever it would otherwise allocate.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class ReturnsWithoutMemoryTests
{
    /// <summary>The runtime's own threads may end a process that runs out of memory.</summary>
    private const int Attempts = 3;

    /// <summary>Each refused allocation first causes a full collection.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);

    [SkippableFact]
    public void Every_way_to_give_back_holds_while_the_collectors_heap_is_full()
    {
        Skip.IfNot(RuntimeInformation.IsOSPlatform(OSPlatform.Linux), "only on Linux can memory be refused to a process");
        Skip.IfNot(StressLength.IsLong, "each way takes a process of its own; the long form has them");

        for (int attempt = 1; ; attempt++)
        {
            (int exitCode, string output, string error) = Run(seed: attempt);
            string[] lines = ChildProcess.Lines(output);
            Assert.All(lines, static line => Assert.EndsWith(": held", line, StringComparison.Ordinal));
            if (exitCode == 0)
            {
                Assert.Equal(33, lines.Length);
                return;
            }

            Assert.True(
                attempt < Attempts && !error.Contains("at Tarn.", StringComparison.Ordinal), $"Exit code {exitCode}: {output}{error}");
        }
    }

    private static (int ExitCode, string Output, string Error) Run(int seed)
    {
        using Process process = ChildProcess.Start(["returns without memory", $"{seed}", "2"], limits: null, ChildProgram.FillsManagedHeap);
        return ChildProgram.WaitForEnd(process, s_limit);
    }
}

using System.Diagnostics;
using System.Globalization;
using Tarn.Torture.Children;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Attacks;

/// <summary>
/// Processes under limits of the system: address space, and a control group's memory. A process can allocate up to the limit, then gets an
/// exception, and can allocate returned memory again. And processes whose managed heap is full.
/// </summary>
internal sealed class LimitAttack : IAttack
{
    private const int Mebibyte = 1 << 20;

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(3);

    /// <inheritdoc/>
    public string Name => "limits";

    /// <inheritdoc/>
    public string Description =>
        "processes under RLIMIT_AS, a control group's limit and the collector's hard limit, and with a full managed heap";

    /// <inheritdoc/>
    public bool IsContinuous => true;

    /// <inheritdoc/>
    public void Run(AttackContext context)
    {
        do
        {
            if (OperatingSystem.IsLinux())
            {
                LimitGroup(context);
                LimitManagedHeap(context);
                LimitAddressSpace(context);
                FillManagedHeap(context);
            }
            else
            {
                context.Skip("limits of address space and of control groups: those of Linux are used");
                return;
            }
        }
        while (!context.IsOver);
    }

    private static void LimitAddressSpace(AttackContext context)
    {
        // With less, the runtime itself does not start. More takes longer without further findings.
        int mebibytes = context.Random.Next(1536, context.IsBrief ? 1600 : 2200);
        string[] lines = Run(
            ["heap-limit"], $"ulimit -v {mebibytes * 1024}",
            ("DOTNET_GCHeapHardLimit", "0x4000000"), ("DOTNET_TieredCompilation", "0"), ChildProgram.CompilesWithoutMappings);
        foreach (string line in lines)
        {
            // The size, the bytes available in each of three rounds, and the blocks in use at the end.
            long[] numbers = [.. line.Split(' ').Select(static word => long.Parse(word, CultureInfo.InvariantCulture))];
            Require.That(
                numbers is [_, > 0, > 0, > 0, 0],
                $"Under {mebibytes} MiB of address space, blocks of {numbers[0]} bytes to be had and in use in the end: {line}");
            context.Count("bytes had under a limit of address space", numbers[1] + numbers[2] + numbers[3]);
        }

        context.Count("processes under a limit of address space");
    }

    private static void FillManagedHeap(AttackContext context)
    {
        using Process process = ChildProgram.Start(
            "Tarn.TestChild.dll", ["managed refusals", context.IsBrief ? "2" : "12"], limits: null, ChildProgram.FillsManagedHeap);
        (int exitCode, string output, string error) = ChildProgram.WaitForEnd(process, s_limit);
        Require.That(
            ChildProgram.Lines(output).All(static line => line.EndsWith(": held", StringComparison.Ordinal))
                && !error.Contains("at Tarn.", StringComparison.Ordinal),
            $"With a full managed heap a process ended with {exitCode}: {output}{error}");
        if (exitCode == 0)
        {
            context.Count("processes with a full managed heap");
        }
        else
        {
            context.Skip($"a process with a full managed heap, which the runtime ended: {exitCode}");
        }
    }

    private static void LimitGroup(AttackContext context)
    {
        long limit = (long)context.Random.Next(256, 512) * Mebibyte;
        using ControlGroup? group = ControlGroup.TryCreate(limit, out string? reason);
        if (group is null)
        {
            context.Skip($"control groups: {reason}");
            return;
        }

        string[] lines = Run(["group limit", limit.ToString(CultureInfo.InvariantCulture)], group.JoinCommand);
        long[] numbers = [.. lines[0].Split(' ').Select(static word => long.Parse(word, CultureInfo.InvariantCulture))];
        Require.That(numbers[1] <= limit, $"In a group of {limit} bytes the runtime sees {numbers[1]}.");
        Require.That(
            numbers[0] <= limit / 4, $"In a group of {limit} bytes a pool and a heap retain {numbers[0]}, more than an eighth each.");
        context.Count("processes in a control group");
    }

    /// <summary>Pools of many element types, streams and heaps, whose caps together are far more than there is.</summary>
    private static void LimitManagedHeap(AttackContext context)
    {
        long limit = (long)context.Random.Next(224, context.IsBrief ? 256 : 512) * Mebibyte;
        string cap = context.Random.Next(2) == 0 ? "shared" : limit.ToString(CultureInfo.InvariantCulture);
        string[] lines = Run(
            ["many types", cap, "0"], limits: null,
            ("DOTNET_GCHeapHardLimit", limit.ToString("x", CultureInfo.InvariantCulture)), ("TARN_CHECKS", null));
        long[] numbers = [.. lines[0].Split(' ').Select(static word => long.Parse(word, CultureInfo.InvariantCulture))];
        long most = limit / 16 * (cap == "shared" ? 4 : 9);
        Require.That(
            numbers[0] <= most,
            $"With a heap of {limit} bytes, pools ({cap}) retain {numbers[0]}, more than {most}.");
        context.Count("processes under a hard limit on the heap");
    }

    private static string[] Run(string[] arguments, string? limits, params (string, string?)[] environment)
    {
        using Process process = ChildProgram.Start("Tarn.TestChild.dll", arguments, limits, environment);
        (int exitCode, string output, string error) = ChildProgram.WaitForEnd(process, s_limit);
        string[] lines = ChildProgram.Lines(output);
        Require.That(
            exitCode == 0 && lines.Length > 0,
            $"Tarn.TestChild \"{string.Join("\" \"", arguments)}\" under {limits ?? "a limit"} "
                + $"({string.Join(' ', environment)}) ended with {exitCode}: {output}{error}");
        return lines;
    }
}

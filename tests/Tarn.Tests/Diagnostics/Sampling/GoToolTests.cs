using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;
using Tarn.Tests.Support;
using Tarn.Tests.Tidy;

namespace Tarn.Tests.Diagnostics.Sampling;

/// <summary>The tool that most people read such profiles with.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public partial class GoToolTests
{
    [SkippableFact]
    public void Pprof_reads_a_profile_and_finds_the_methods_that_rent()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "read by pprof", Checks = BufferChecks.None });
        string file = Path.GetTempFileName();
        try
        {
            using (SamplingSession session = new(interval: 4096))
            {
                List<byte[]> kept = Keep(pool, 2_000);
                using (FileStream profile = File.Create(file))
                {
                    BufferDiagnostics.WriteProfile(profile);
                }

                kept.ForEach(array => pool.Return(array));
            }

            string top = Pprof("-top", "-unit=B", file);
            Assert.Contains("Type: inuse_space", top, StringComparison.Ordinal);
            Match found = KeepLine().Match(top);
            Assert.True(found.Success, top);
            Assert.InRange(double.Parse(found.Groups[1].Value, CultureInfo.InvariantCulture) / (2_000 * 4096), 0.9, 1.1);

            string tags = Pprof("-tags", "-sample_index=alloc_objects", file);
            Assert.Contains("array pool", tags, StringComparison.Ordinal);
            Assert.Contains("read by pprof", tags, StringComparison.Ordinal);

            // Where builds are deterministic, the paths in symbol files begin with /_/.
            string lines = Pprof("-list=GoToolTests.Keep", $"-trim_path={Repository.Root}:/_", $"-source_path={Repository.Root}", file);
            Assert.Contains("kept.Add(pool.Rent(4_000));", lines, StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(file);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static List<byte[]> Keep(BufferPool<byte> pool, int count)
    {
        List<byte[]> kept = [];
        for (int i = 0; i < count; i++)
        {
            kept.Add(pool.Rent(4_000));
        }

        return kept;
    }

    private static string Pprof(params string[] arguments)
    {
        ProcessStartInfo start = new("go", ["tool", "pprof", .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        Process? started = null;
        try
        {
            started = Process.Start(start);
        }
        catch (System.ComponentModel.Win32Exception)
        {
        }

        Skip.If(started is null, "Go is not installed, and with it pprof: install golang-go.");
        using Process process = started!;
        Task<string> error = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        Assert.True(process.ExitCode == 0, error.Result);
        return output;
    }

    /// <summary>Flat bytes, flat share, sum of shares, cumulative bytes and share, and the method.</summary>
    [GeneratedRegex(@"^ *([\d.]+)B +[\d.]+% +[\d.]+% +[\d.]+B +[\d.]+% +\S*GoToolTests\.Keep", RegexOptions.Multiline)]
    private static partial Regex KeepLine();
}

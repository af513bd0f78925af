using System.Diagnostics;
using Tarn.Lab.Tests;
using Tarn.Sanitizing.Launching;

namespace Tarn.Sanitizing.Tests.Launching;

/// <summary>The cache of private frameworks does not grow for ever, and no process loses the one it runs on.</summary>
public sealed class UnusedCopiesTests : IDisposable
{
    private static readonly string s_framework = Path.GetDirectoryName(typeof(object).Assembly.Location)!;

    private readonly TemporaryDirectory _cache = new();

    public void Dispose() => _cache.Dispose();

    [Theory]
    [InlineData(29, true)]
    [InlineData(31, false)]
    public void A_copy_that_nobody_used_for_long_goes_and_its_original_stays(int days, bool stays)
    {
        string copy = Build();
        int originals = Directory.GetFiles(s_framework).Length;
        Age(copy, TimeSpan.FromDays(days));

        UnusedCopies.Prune(_cache.Path);

        Assert.Equal(stays, Directory.Exists(copy));
        Assert.Equal(stays, Directory.GetDirectories(_cache.Path).Length > 0);
        Assert.Equal(originals, Directory.GetFiles(s_framework).Length);
        Assert.Equal(copy, Build());
    }

    [Fact]
    public void A_use_makes_a_copy_young_again()
    {
        string copy = Build();
        Age(copy, TimeSpan.FromDays(31));

        Assert.Equal(copy, Build());
        UnusedCopies.Prune(_cache.Path);

        Assert.True(Directory.Exists(copy));
    }

    /// <summary>Each publication of a program that brings its own framework makes another copy.</summary>
    [Theory]
    [InlineData(30, true)]
    [InlineData(90, false)]
    public void Of_several_copies_of_one_original_the_latest_stays(int minutes, bool stays)
    {
        string latest = Build();
        string outdated = $"{latest}-outdated";
        Directory.Move(latest, outdated);
        Age(outdated, TimeSpan.FromMinutes(minutes));
        Build();

        UnusedCopies.Prune(_cache.Path);

        Assert.Equal((true, stays), (Directory.Exists(latest), Directory.Exists(outdated)));
    }

    [Fact]
    public async Task A_copy_that_a_process_runs_on_stays()
    {
        ProcessStartInfo start = SanitizedRun.StartTool("sanitize", "--", SanitizedRun.ChildHost, "wait");
        start.Environment[SanitizerSettings.RootVariable] = _cache.Path;
        using Process tool = Process.Start(start)!;
        string id = (await tool.StandardOutput.ReadLineAsync())!;
        string copy = Assert.Single(Directory.GetDirectories(Assert.Single(Directory.GetDirectories(_cache.Path))));
        Age(copy, TimeSpan.FromDays(31));

        UnusedCopies.Prune(_cache.Path);
        SanitizedRun kept = Clear();

        Assert.True(Directory.Exists(copy));
        Assert.Equal(2, kept.ExitCode);
        Assert.Contains("1 private copy remains: a process uses it", kept.Error, StringComparison.Ordinal);
        Process.GetProcessById(int.Parse(id, System.Globalization.CultureInfo.InvariantCulture)).Kill();
        await tool.WaitForExitAsync();

        SanitizedRun removed = Clear();

        Assert.Equal((0, ""), (removed.ExitCode, removed.Error));
        Assert.StartsWith("1 private copy removed from ", removed.Output, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFileSystemEntries(_cache.Path));
    }

    /// <summary>A process that begins again on half a copy would not start, and it would be the sanitizer's fault.</summary>
    [Theory]
    [InlineData("System.Private.CoreLib.dll")]
    [InlineData("graft.txt")]
    [InlineData("*fxr*")]
    public void What_somebody_removed_a_part_of_is_made_anew(string part)
    {
        string copy = Build();
        string lacking = Directory.GetFiles(copy, part, SearchOption.AllDirectories)
            .First(static file => File.ResolveLinkTarget(file, returnFinalTarget: false) is null);
        File.Delete(lacking);

        Assert.Equal(copy, Build());

        Assert.True(File.Exists(lacking));
        Assert.Single(Directory.GetDirectories(Path.GetDirectoryName(copy)!));
    }

    [Fact]
    public void What_else_lies_there_is_not_touched()
    {
        string copy = Build();
        string foreign = Path.Combine(_cache.Path, "mine", "photos");
        Directory.CreateDirectory(foreign);
        File.Copy(Path.Combine(copy, "graft.txt"), Path.Combine(foreign, "graft.txt"));
        string beside = Directory.CreateDirectory(Path.Combine(Path.GetDirectoryName(copy)!, "notes")).FullName;

        Assert.Equal((1, 0), UnusedCopies.Clear(_cache.Path));

        Assert.True(Directory.Exists(foreign));
        Assert.True(Directory.Exists(beside));
    }

    private string Build() =>
        new PrivateCopies(_cache.Path).OfInstallation(s_framework, typeof(object).Module.ModuleVersionId).Folder;

    private SanitizedRun Clear()
    {
        ProcessStartInfo start = SanitizedRun.StartTool("sanitize", "--clear");
        start.Environment[SanitizerSettings.RootVariable] = _cache.Path;
        return SanitizedRun.Run(start, "");
    }

    private static void Age(string copy, TimeSpan age) =>
        File.SetLastWriteTimeUtc(Path.Combine(copy, "graft.txt"), DateTime.UtcNow - age);
}

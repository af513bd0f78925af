using Microsoft.CodeAnalysis.CodeFixes;
using Tarn.CodeFixes;

namespace Tarn.Analyzers.Tests.Fixes;

/// <summary>Each file of fixes: a code as it is found, and as the fix leaves it; or that none is offered.</summary>
public sealed class FixTests
{
    public static TheoryData<string> Fixed => [.. EveryExample.Names.Where(static name => !EveryExample.IsRefused(name))];

    public static TheoryData<string> NotOffered => [.. EveryExample.Names.Where(EveryExample.IsRefused)];

    [Theory]
    [MemberData(nameof(Fixed))]
    public async Task A_fix_makes_this_of_that(string name)
    {
        string[] parts = EveryExample.Parts(name);
        Assert.Equal(2, parts.Length);
        Task run = name.EndsWith(".all.txt", StringComparison.Ordinal)
            ? FixRun.AssertAllFixedAsync(name[..7], parts[0], parts[1])
            : FixRun.AssertFixedAsync(name[..7], parts[0], parts[1]);
        await run;
    }

    [Theory]
    [MemberData(nameof(NotOffered))]
    public async Task No_fix_is_offered_that_may_be_wrong(string name) =>
        await FixRun.AssertNotOfferedAsync(name[..7], EveryExample.Read(name));

    [Fact]
    public void Every_rule_that_has_a_fix_has_one_and_cases_of_it()
    {
        string[] ids = [.. FixRun.Fixes.SelectMany(static fix => fix.FixableDiagnosticIds).Order(StringComparer.Ordinal)];

        Assert.Equal(ids.Distinct(), ids);
        Assert.Equal(ids, EveryExample.Names.Select(static name => name[..7]).Distinct().Order(StringComparer.Ordinal));
    }

    [Fact]
    public void The_fixes_need_only_references_of_hosts_of_the_analyzers_age()
    {
        Assert.All(
            typeof(BufferCodeFix).Assembly.GetReferencedAssemblies(),
            reference => Assert.True(
                reference.Name switch
                {
                    "netstandard" => true,
                    "System.Collections.Immutable" => reference.Version!.Major <= 7,
                    var name =>
                        name!.StartsWith("Microsoft.CodeAnalysis", StringComparison.Ordinal) && reference.Version < new Version(4, 8),
                },
                reference.FullName));
        Assert.All(
            FixRun.Fixes,
            static fix => Assert.Single(fix.GetType().GetCustomAttributes(typeof(ExportCodeFixProviderAttribute), inherit: false)));
    }
}

namespace Tarn.Tests.Tidy;

public class SourceRuleTests
{
    private const string Cases = "tests/Tarn.Analyzers.Tests/Cases/";

    /// <summary>A profile says when it was taken.</summary>
    private const string ProfileWithItsTime = "src/Tarn/Diagnostics/SampledPprof.cs";

    private static readonly string[] s_sources =
        [
            .. Repository.Files("src", ".cs"),
            .. Repository.Files("lab", ".cs"),
            .. Repository.Files("samples", ".cs"),
            .. Repository.Files("tests", ".cs").Where(static path => !IsMaterial(path)),
        ];

    [Fact]
    public void No_file_is_too_long_to_be_read_at_a_sitting()
    {
        AssertNone(s_sources.Concat(Repository.Files(Cases, ".cs")), SourceRules.FindLength);
        Assert.Single(SourceRules.FindLength("Long.cs", string.Concat(Enumerable.Repeat("\n", 400)) + "x"));
        Assert.Empty(SourceRules.FindLength("Short.cs", string.Concat(Enumerable.Repeat("x\n", 400))));
    }

    /// <summary>The rules that the facts below describe. Each source is parsed once for all of them.</summary>
    [Fact]
    public void No_source_breaks_a_rule_of_its_types_members_and_calls() => AssertNone(
        s_sources,
        static (path, text) =>
        [
            .. SourceRules.FindInterruptibleLocks(path, text),
            .. SourceRules.FindInterruptibleCalls(path, text),
            .. SourceRules.FindMisnamedTypes(path, text),
            .. SourceRules.FindEmptyWords(path, text),
            .. path.StartsWith("src/", StringComparison.Ordinal) ? SourceRules.FindNativeCalls(path, text) : [],
            .. path.StartsWith("src/", StringComparison.Ordinal) ? SourceRules.FindDivisorsCalledShares(path, text) : [],
            .. IsOfALibrary(path) ? SourceRules.FindCopiesOfAddresses(path, text) : [],
            .. IsOfALibrary(path) && path != ProfileWithItsTime
                ? SourceRules.FindWallClocks(path, text)
                : [],
            .. path.StartsWith("tests/", StringComparison.Ordinal) ? SourceRules.FindLongMethods(path, text) : [],
        ]);

    /// <summary>Of the tests for now.</summary>
    [Fact]
    public void No_method_is_too_long_to_be_seen_at_once()
    {
        string lines = string.Concat(Enumerable.Repeat("    _ = 1;\n", 57));
        Assert.Empty(SourceRules.FindLongMethods("A.cs", $"class A\n{{\n/// <summary>b</summary>\nvoid B()\n{{\n{lines}}}\n}}"));
        Assert.Equal(
            ["A.cs line 3: B has 61 lines, more than 60"],
            SourceRules.FindLongMethods("A.cs", $"class A\n{{\nvoid B()\n{{\n_ = 1;\n{lines}}}\nvoid C()\n{{\n}}\n}}"));
    }

    [Fact]
    public void The_library_copies_addresses_in_one_place()
    {
        const string Text = "class X { void A() => Buffer.MemoryCopy(a, b, 1, 1); void B() => NativeMemory.Copy(a, b, 1); }";
        Assert.Equal(
            ["src/Tarn/X.cs line 1: Buffer.MemoryCopy", "src/Tarn/X.cs line 1: NativeMemory.Copy"],
            SourceRules.FindCopiesOfAddresses("src/Tarn/X.cs", Text).Select(static found => found.Split(" has ")[0]));
        Assert.Empty(SourceRules.FindCopiesOfAddresses("src/Tarn/Copying/X.cs", Text));
    }

    /// <summary>Nobody can set the clocks of a machine in a test. So no wait, age or period may know them.</summary>
    [Fact]
    public void The_library_waits_by_clocks_that_only_go_forward()
    {
        Assert.Single(SourceRules.FindWallClocks("X.cs", "class X { long a = System.DateTime.UtcNow.Ticks; }"));
        Assert.Single(SourceRules.FindWallClocks("X.cs", "class X { object a = DateTimeOffset.Now; }"));
        Assert.Single(SourceRules.FindWallClocks("X.cs", "class X { object a = TimeProvider.System.GetUtcNow(); }"));
        Assert.Empty(SourceRules.FindWallClocks("X.cs", "class X { long a = Environment.TickCount64 + Stopwatch.GetTimestamp(); }"));
    }

    [Fact]
    public void Only_the_platform_folder_calls_the_operating_system()
    {
        Assert.Single(SourceRules.FindNativeCalls("src/Tarn/A/X.cs", "class X { [LibraryImport(\"c\")] static partial int a(); }"));
        Assert.Equal(
            2,
            SourceRules.FindNativeCalls(
                "src/Tarn/A/X.cs", "class X { [System.Runtime.InteropServices.DllImport(\"c\")] static extern int a(); }").Count());
        Assert.Single(SourceRules.FindNativeCalls("src/Tarn/A/X.cs", "class X { bool a = OperatingSystem.IsLinux(); }"));
        Assert.Empty(SourceRules.FindNativeCalls("src/Tarn/Platform/X.cs", "class X { bool a = OperatingSystem.IsLinux(); }"));
    }

    [Fact]
    public void No_interrupt_ends_a_wait_for_a_lock()
    {
        Assert.Equal(
            3,
            SourceRules.FindInterruptibleLocks(
                "src/Tarn/ArrayPool/X.cs",
                "class X { void A() { lock (this) { } using (_l.EnterScope()) { } Monitor.Enter(this); using (_l.Hold()) { } } }").Count());
        Assert.Empty(SourceRules.FindInterruptibleLocks("lab/X.cs", "class X { void A() { lock (this) { } } }"));
    }

    [Fact]
    public void No_interrupt_ends_a_question_to_the_runtime()
    {
        const string Asked = "class X { bool A() => AppContext.TryGetSwitch(\"a\", out bool isOn) && isOn; }";
        Assert.Single(SourceRules.FindInterruptibleCalls("src/Tarn/Trimming/X.cs", Asked));
        Assert.Empty(SourceRules.FindInterruptibleCalls("src/Tarn.AspNetCore/X.cs", Asked));
        Assert.Empty(SourceRules.FindInterruptibleCalls(
            "src/Tarn/Trimming/X.cs",
            "class X { string? A() => Uninterrupted.Get(static () => Environment.GetEnvironmentVariable(\"A\")); }"));
    }

    [Fact]
    public void A_file_holds_one_public_type_and_is_named_after_it()
    {
        Assert.Single(SourceRules.FindMisnamedTypes("A.cs", "namespace N; public class A { } public delegate void B();"));
        Assert.Single(SourceRules.FindMisnamedTypes("B.cs", "namespace N { public enum A { } }"));
        Assert.Empty(SourceRules.FindMisnamedTypes("A.Slow.cs", "public partial class A<T> { public class Inner { } } class Other { }"));
    }

    [Fact]
    public void No_type_is_called_by_a_word_that_says_nothing()
    {
        Assert.Equal(
            3,
            SourceRules.FindEmptyWords(
                "A.cs", "class BufferManager { struct IOUtil { } } delegate void HelperCall(); class Utilize { }").Count());
    }

    [Fact]
    public void No_divisor_is_called_a_share()
    {
        Assert.Equal(
            ["A.cs: CapShare is a divisor", "A.cs: ShareOfCap is a divisor"],
            SourceRules.FindDivisorsCalledShares(
                "A.cs", "class A { const int CapShare = 4; const long ShareOfCap = 8; const double Share = 0.5; const int Shared = 1; }"));
    }

    [Fact]
    public void Nothing_is_left_unfinished_in_a_comment()
    {
        AssertNone(s_sources, SourceRules.FindUnfinished);
        Assert.Equal(2, SourceRules.FindUnfinished("A.cs", "// TO" + "DO: later\n// methods\n/* HA" + "CK */").Count());
    }

    [Fact]
    public void Every_public_member_of_a_package_is_documented_because_the_compiler_demands_it()
    {
        string[] settings =
        [
            .. s_sources.Where(path => path.StartsWith("src/", StringComparison.Ordinal)),
            .. Repository.Files("src", ".csproj"), .. Repository.Files("src", ".props"), .. Repository.Files("src", ".editorconfig"),
            "Directory.Build.props", ".editorconfig",
        ];

        AssertNone(settings, SourceRules.FindSuppressedDocumentation);
        Assert.All(
            Repository.Files("src", ".csproj").Where(static path => Read(path).Contains("<IncludeSymbols>", StringComparison.Ordinal)),
            static path => Assert.Contains(
                "<GenerateDocumentationFile>true</GenerateDocumentationFile>", Read(path), StringComparison.Ordinal));
        Assert.Contains("<TreatWarningsAsErrors>true</TreatWarningsAsErrors>", Read("Directory.Build.props"), StringComparison.Ordinal);
        Assert.Single(SourceRules.FindSuppressedDocumentation("A.csproj", "<NoWarn>CS" + "1591</NoWarn>"));
    }

    /// <summary>The analyzers' test cases are written in their users' style, not in ours.</summary>
    private static bool IsMaterial(string path) => Repository.IsCopied(path) || path.StartsWith(Cases, StringComparison.Ordinal);

    private static string Read(string path) => File.ReadAllText(Repository.At(path));

    private static void AssertNone(IEnumerable<string> paths, Func<string, string, IEnumerable<string>> rule)
    {
        string[] read = [.. paths];
        Assert.NotEmpty(read);
        Assert.Empty(read.SelectMany(path => rule(path, Read(path))));
    }

    private static bool IsOfALibrary(string path) =>
        path.StartsWith("src/Tarn/", StringComparison.Ordinal) || path.StartsWith("src/Tarn.SharedMemory/", StringComparison.Ordinal);
}

using System.Diagnostics;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Recording;

/// <summary>Which processes are a user's, and what <c>--process</c> asks for, as a command line tells it.</summary>
public sealed class ProgramLineTests
{
    private static readonly string s_installation = Path.GetFullPath(
        Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "..", "..", ".."));

    private static readonly string s_sdk = Path.Combine(s_installation, "sdk", "10.0.100");

    [Theory]
    [InlineData("dotnet test --no-build")]
    [InlineData("dotnet test Lib.Tests.dll")]
    [InlineData("dotnet")]
    [InlineData("dotnet -d build app.dll")]
    [InlineData("dotnet exec {sdk}/vstest.console.dll /app/Lib.Tests.dll")]
    [InlineData("dotnet {sdk}/MSBuild.dll /nodemode:1")]
    [InlineData("dotnet exec --depsfile a.json --runtimeconfig b.json {sdk}/Roslyn/bincore/csc.dll @a.rsp")]
    [InlineData("{sdk}/Roslyn/bincore/VBCSCompiler -pipename:x")]
    public void The_SDK_s_own_are_told(string line) => Assert.True(Parse(line).IsSdk);

    [Theory]
    [InlineData("dotnet app.dll test", "/work/app.dll test")]
    [InlineData("dotnet exec --depsfile a.json --runtimeconfig b.json /p/testhost.dll --port 1", "/p/testhost.dll --port 1")]
    [InlineData("dotnet --roll-forward Major app.dll", "/work/app.dll")]
    [InlineData("/app/Server --urls x", "/app/Server --urls x")]
    [InlineData("dotnet /repo/sdk/10/MSBuild.dll", "/repo/sdk/10/MSBuild.dll")]
    [InlineData("/home/dotnet/sdk/tools/app", "/home/dotnet/sdk/tools/app")]
    public void A_user_s_are_told_with_their_assembly(string line, string program)
    {
        ProgramLine read = Parse(line);
        Assert.False(read.IsSdk);
        Assert.Equal(program, read.Program);
        Assert.All((string?[])[null, program, line, line.Split(' ')[^1]], part => Assert.True(read.Matches(part), part));
        Assert.False(read.Matches("another"));
    }

    [Fact]
    public void A_process_of_this_system_is_read_whole_before_it_knows_itself()
    {
        ProcessStartInfo start = new("dotnet", [Child.Assembly, "planted faults", "60", "a b", ""])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        using Process process = Process.Start(start)!;
        ProgramLine line = ProgramLine.Read(process.Id, () => "");
        process.Kill();
        if (OperatingSystem.IsLinux())
        {
            Assert.Equal((false, $"{Child.Assembly} planted faults 60 a b "), (line.IsSdk, line.Program));
        }

        Assert.Equal(["C:\\a b\\x.exe", "one", "two"], ProgramLine.SplitLine("  \"C:\\a b\\x.exe\" one\ttwo "));
    }

    private static ProgramLine Parse(string line)
    {
        string[] words = line.Replace("{sdk}", s_sdk, StringComparison.Ordinal).Split(' ');
        return ProgramLine.Parse(words[0], words.AsSpan(1), "/work");
    }
}

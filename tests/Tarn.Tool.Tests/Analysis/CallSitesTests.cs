using Tarn.Lab.Tests;
using Tarn.Tool.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Analysis;

/// <summary>What a place in a program is called, and what identifies it.</summary>
public class CallSitesTests
{
    private static readonly StackFrame s_pipe = new("System.IO.Pipelines.Pipe.AllocateWriteHeadSynchronized", "System.IO.Pipelines");
    private static readonly StackFrame s_owner = new("new Toolkit.MemoryOwner<double>", "Toolkit", "/_/src/MemoryOwner.cs", 40);
    private static readonly StackFrame s_read = new("App.Reader.Read", "App", "/src/Reader.cs", 12);
    private static readonly StackFrame s_write = new("App.Writer.Write", "App", "/src/Writer.cs", 34);
    private static readonly StackFrame s_copy = new("App.Copy.Run", "App", "/src/Copy.cs", 56);
    private static readonly StackFrame s_main = new("App.Program.Main", "App", "/src/Program.cs", 1);

    [Fact]
    public void A_wrapper_is_named_with_the_first_method_of_the_program()
    {
        string[] names = Names([s_pipe, s_read, s_main], [s_pipe, s_write, s_main], [s_owner, s_read, s_main]);

        Assert.Equal(
            [
                "System.IO.Pipelines.Pipe.AllocateWriteHeadSynchronized ← App.Reader.Read in Reader.cs:12",
                "System.IO.Pipelines.Pipe.AllocateWriteHeadSynchronized ← App.Writer.Write in Writer.cs:34",
                "new Toolkit.MemoryOwner<double> in MemoryOwner.cs:40 ← App.Reader.Read in Reader.cs:12",
            ],
            names);
    }

    [Fact]
    public void Names_have_more_frames_until_they_differ()
    {
        Assert.Equal(
            [
                "App.Reader.Read in Reader.cs:12 ← App.Copy.Run in Copy.cs:56",
                "App.Reader.Read in Reader.cs:12 ← App.Program.Main in Program.cs:1",
            ],
            Names([s_read, s_copy, s_main], [s_read, s_main]));
        Assert.Equal(
            ["a.A ← b.B ← c.C", "a.A ← b.B ← d.D"],
            Names([Platform("a.A"), Platform("b.B"), Platform("c.C")], [Platform("a.A"), Platform("b.B"), Platform("d.D")]));
    }

    [Theory]
    [InlineData("AsyncTaskMethodBuilder<class>.AsyncStateMachineBox<class>.MoveNext")]
    [InlineData("AsyncHelpers.RuntimeAsyncTask<int>.DispatchContinuations")]
    public void What_completed_an_awaited_task_is_no_caller_and_the_start_of_an_asynchronous_method_no_second_one(string resumption)
    {
        CallSite resumed = Sites([s_read, Platform($"System.Runtime.CompilerServices.{resumption}"), s_copy, s_main])[0];
        CallSite called = Sites([s_read, s_read with { Line = 0 }, s_copy, s_main])[0];

        Assert.Equal("App.Reader.Read", resumed.Identity.Methods);
        Assert.Equal("App.Reader.Read ← App.Copy.Run", called.Identity.Methods);
    }

    [Fact]
    public void The_program_is_what_has_its_sources_here_also_where_a_build_server_compiled_it()
    {
        using var folder = new TemporaryDirectory();
        Directory.CreateDirectory(folder.File("src"));
        File.WriteAllText(folder.File("src/Reader.cs"), "");
        StackFrame mine = s_read with { Module = "System.Mine", File = "/_/src/Reader.cs" };
        var sources = new SourceTree(folder.File("src"));

        CallSite site = Sites(sources, [s_owner, s_copy, mine])[0];

        Assert.Equal("new Toolkit.MemoryOwner<double> in MemoryOwner.cs:40 ← App.Reader.Read in Reader.cs:12", site.Name);
        Assert.Equal(folder.File("src/Reader.cs"), sources.Find(mine));
        Assert.Null(sources.Find(s_owner));
    }

    private static StackFrame Platform(string method) => new(method, "System.Private.CoreLib");

    private static string[] Names(params StackFrame[][] stacks) => [.. Sites(stacks).Select(site => site.Name)];

    private static CallSite[] Sites(params StackFrame[][] stacks) => Sites(new SourceTree("/nowhere"), stacks);

    private static CallSite[] Sites(SourceTree sources, params StackFrame[][] stacks)
    {
        List<StackFrame> frames = [];
        List<StackNode> nodes = [];
        List<int> ends = [];
        foreach (StackFrame[] stack in stacks)
        {
            int node = 0;
            foreach (StackFrame frame in stack.Reverse())
            {
                frames.Add(frame);
                nodes.Add(new StackNode(node, frames.Count - 1));
                node = nodes.Count;
            }

            ends.Add(node);
        }

        var table = new StackTable(frames, nodes);
        var sites = new CallSites(table, new OwnCode(table, sources));
        int[] numbers = [.. ends.Select(end => sites.Of(end, 0, 1))];
        sites.Distinguish();
        return [.. numbers.Select(number => sites[number])];
    }
}

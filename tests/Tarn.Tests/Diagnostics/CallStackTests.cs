using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Tarn.Tests.Diagnostics;

public class CallStackTests
{
    [Fact]
    public void Frames_of_the_runtime_and_of_runners_behind_the_callers_are_counted_instead_of_shown()
    {
        StackTrace stack = CaptureHere();

        string[] lines = LinesOf(CallStack.Describe(stack));

        Assert.StartsWith(At(nameof(CaptureHere)), lines[0], StringComparison.Ordinal);
        Assert.StartsWith(
            At(nameof(Frames_of_the_runtime_and_of_runners_behind_the_callers_are_counted_instead_of_shown)), lines[1],
            StringComparison.Ordinal);
        Assert.Equal(3, lines.Length);
        Assert.Matches("^   … [0-9]+ frames of .*System.Private.CoreLib", lines[2]);
        Assert.Contains("xunit", lines[2], StringComparison.Ordinal);
        Assert.True(stack.FrameCount > 10, "There was something to leave out, or this proves nothing.");
    }

    [Fact]
    public void Of_a_run_of_the_runtime_between_callers_the_frame_that_they_called_is_shown()
    {
        StackFrame[] all = CaptureHere().GetFrames();
        StackFrame[] run = FindRuntime(all);

        string[] lines = LinesOf(CallStack.Describe(new StackTrace([all[0], .. run, all[1]])));

        Assert.Equal(4, lines.Length);
        Assert.StartsWith(At(nameof(CaptureHere)), lines[0], StringComparison.Ordinal);
        Assert.StartsWith($"   … {run.Length - 1} frames of ", lines[1], StringComparison.Ordinal);
        Assert.Equal($"   at {new CallFrame(run[^1]).Text}", lines[2]);
        Assert.StartsWith(
            At(nameof(Of_a_run_of_the_runtime_between_callers_the_frame_that_they_called_is_shown)), lines[3], StringComparison.Ordinal);
    }

    [Fact]
    public void A_frame_of_the_runtime_that_called_the_library_itself_is_shown()
    {
        StackFrame[] all = CaptureHere().GetFrames();
        StackFrame[] run = FindRuntime(all);

        string[] lines = LinesOf(CallStack.Describe(new StackTrace([.. run, all[1]])));

        Assert.Equal(4, lines.Length);
        Assert.Equal($"   at {new CallFrame(run[0]).Text}", lines[0]);
        Assert.StartsWith($"   … {run.Length - 2} frames of ", lines[1], StringComparison.Ordinal);
        Assert.Equal($"   at {new CallFrame(run[^1]).Text}", lines[2]);
    }

    [Fact]
    public async Task The_start_of_an_async_method_is_not_shown()
    {
        string[] lines = LinesOf(CallStack.Describe(await CaptureInAsync()));

        Assert.DoesNotContain(lines, static line => line.Contains("MethodBuilder.Start", StringComparison.Ordinal));
        Assert.Contains(lines, static line => line.StartsWith(At(nameof(CaptureInAsync)), StringComparison.Ordinal));
        Assert.Matches(@"   … ([2-9]|\d\d) frames of|   … 1 frame of", string.Join('\n', lines));
    }

    [Fact]
    public void A_recursion_is_cut()
    {
        StackTrace stack = CaptureAfter(calls: 500);

        string[] lines = LinesOf(CallStack.Describe(stack));

        Assert.Equal(StackText.MostFrames + 1, lines.Length);
        Assert.Matches("^   … [0-9]{3} frames of Tarn.Tests", lines[^1]);
    }

    [Fact]
    public void A_stack_without_a_callers_frame_shows_its_innermost_frames()
    {
        StackTrace stack = new(CaptureHere().GetFrames()[2..]);

        string[] lines = LinesOf(CallStack.Describe(stack));

        Assert.Equal(StackText.MostWithoutCaller, lines.Count(static line => line.StartsWith("   at ", StringComparison.Ordinal)));
        Assert.Matches("^   … [0-9]+ frames of ", lines[^1]);
    }

    [Fact]
    public void A_place_is_the_callers_three_innermost_frames()
    {
        string place = CallStack.DescribePlace(CaptureAfter(calls: 2));

        string[] frames = place.Split(" ← ");
        Assert.Equal(3, frames.Length);
        Assert.Contains(nameof(CaptureHere), frames[0], StringComparison.Ordinal);
        Assert.Contains(nameof(CaptureAfter), frames[1], StringComparison.Ordinal);
        Assert.Contains(nameof(CaptureAfter), frames[2], StringComparison.Ordinal);
    }

    [Fact]
    public void Two_lines_that_rent_are_two_places_and_one_line_is_one()
    {
        List<string> places = [];
        for (int i = 0; i < 3; i++)
        {
            places.Add(CallStack.DescribePlace(CaptureHere()));
        }

        places.Add(CallStack.DescribePlace(CaptureHere()));

        Assert.Equal([places[0], places[0], places[0]], places[..3]);
        Assert.NotEqual(places[0], places[3]);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<StackTrace> CaptureInAsync()
    {
        StackTrace stack = CaptureHere();
        await Task.Yield();
        return stack;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static StackTrace CaptureHere() => CallStack.Capture();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static StackTrace CaptureAfter(int calls)
    {
        StackTrace stack = calls > 0 ? CaptureAfter(calls - 1) : CaptureHere();
        GC.KeepAlive(stack);
        return stack;
    }

    /// <summary>Four or more frames below a test, which are not hidden.</summary>
    private static StackFrame[] FindRuntime(StackFrame[] frames)
    {
        StackFrame[] runtime =
            [
                .. frames.Where(static frame =>
                    new CallFrame(frame) is { Origin: FrameOrigin.Runtime, Text.Length: > 0, IsAsyncStart: false }).Take(6),
            ];
        Assert.True(runtime.Length >= 4, "There is a run to shorten, or this proves nothing.");
        return runtime;
    }

    private static string At(string method) => $"   at {typeof(CallStackTests).FullName}.{method}(";

    private static string[] LinesOf(string text) => text.Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries);
}

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Tarn.Sanitizing.Checking;

namespace Tarn.Sanitizing.Tests.Checking;

/// <summary>Recognized stacks are the stacks that they are taken for.</summary>
public class StackRecorderTests
{
    private const MethodImplOptions Alone = MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization;

    [SkippableFact]
    public void A_stack_that_was_seen_before_is_recognized()
    {
        StackRecorder recorder = Create();
        var seen = new HashSet<RecordedStack>();
        for (int i = 0; i < 20_000; i++)
        {
            seen.Add(One(recorder));
        }

        // Each tier of the methods' code has stacks of its own; some are captured again to be compared.
        Assert.InRange(seen.Count, 1, 10);
        Assert.InRange(recorder.Captured, 1, 100);
        Assert.Equal(0, recorder.Different);
        Assert.All(seen, static stack => Assert.EndsWith($".{nameof(One)}", stack.Frames[0].Method, StringComparison.Ordinal));
    }

    [SkippableFact]
    public void Callers_of_a_method_without_a_record_are_told_apart()
    {
        StackRecorder recorder = Create();
        Func<StackRecorder, RecordedStack>[] callers = [First, Second];
        for (int i = 0; i < 200; i++)
        {
            // Both are called from one place, so that nothing else on the stack differs.
            foreach (Func<StackRecorder, RecordedStack> caller in callers)
            {
                Assert.Equal(caller.Method.Name, MethodAt(caller(recorder), 3));
            }
        }

        Assert.Equal(0, recorder.Different);
    }

    [SkippableFact]
    public void Callers_beyond_native_code_are_told_apart_or_left_out()
    {
        Skip.If(OperatingSystem.IsWindows(), "qsort calls back.");
        StackRecorder recorder = Create();
        for (int i = 0; i < 500; i++)
        {
            // Both are called from one place, so that nothing else on the stack differs.
            for (int way = 0; way < 2; way++)
            {
                string other = way == 0 ? nameof(SortThere) : nameof(SortHere);
                foreach (RecordedStack stack in way == 0 ? SortHere(recorder) : SortThere(recorder))
                {
                    Assert.DoesNotContain(stack.Frames, frame => frame.Method.EndsWith($".{other}", StringComparison.Ordinal));
                }
            }
        }
    }

    [SkippableFact]
    public void Threads_and_recursions_keep_the_table_small()
    {
        StackRecorder recorder = Create();
        Parallel.For(0, 64, i =>
        {
            for (int depth = 0; depth < 300; depth++)
            {
                RecordedStack stack = Recurse(recorder, (depth + i) % 200);
                Assert.EndsWith($".{nameof(One)}", stack.Frames[0].Method, StringComparison.Ordinal);
                Assert.InRange(stack.Frames.Length, 1, StackRecorder.MostFrames);
            }
        });
        Assert.InRange(recorder.Captured, 1, 5_000);
        Assert.Equal(0, recorder.Different);
    }

    [Fact]
    public async Task Frames_of_asynchronous_methods_have_tokens_and_offsets()
    {
        var recorder = new StackRecorder(StackMode.Full);
        await Task.Yield();
        RecordedStack stack = recorder.Record();
        Assert.Contains(nameof(Frames_of_asynchronous_methods_have_tokens_and_offsets), stack.Frames[0].Method, StringComparison.Ordinal);
        Assert.NotEqual(0, stack.Frames[0].Token);
        Assert.True(stack.Frames[0].Offset >= 0);
        Assert.Equal(typeof(StackRecorderTests).Assembly.Location, stack.Frames[0].Path);
    }

    private static StackRecorder Create()
    {
        var recorder = new StackRecorder(StackMode.Known);
        Skip.IfNot(recorder.Recognizes, "Stacks cannot be told apart here.");
        return recorder;
    }

    [MethodImpl(Alone)]
    private static RecordedStack One(StackRecorder recorder) => recorder.Record();

    [MethodImpl(Alone)]
    private static RecordedStack Recurse(StackRecorder recorder, int depth)
    {
        RecordedStack stack = depth == 0 ? One(recorder) : Recurse(recorder, depth - 1);
        GC.KeepAlive(recorder);
        return stack;
    }

    // A small method with one call that is not the last thing it does: the compiler gives it no record.
    [MethodImpl(Alone)]
    private static int Frameless(Recording recording) => Framed(recording) + 1;

    [MethodImpl(Alone)]
    private static int Framed(Recording recording)
    {
        recording.Stack = One(recording.Recorder);
        return recording.Stack.Frames.Length;
    }

    [MethodImpl(Alone)]
    private static RecordedStack First(StackRecorder recorder)
    {
        var recording = new Recording { Recorder = recorder };
        _ = Frameless(recording);
        return recording.Stack!;
    }

    [MethodImpl(Alone)]
    private static RecordedStack Second(StackRecorder recorder)
    {
        var recording = new Recording { Recorder = recorder };
        _ = Frameless(recording);
        return recording.Stack!;
    }

    private static string MethodAt(RecordedStack stack, int frame)
    {
        Assert.EndsWith($".{nameof(Frameless)}", stack.Frames[2].Method, StringComparison.Ordinal);
        return stack.Frames[frame].Method.Split('.')[^1];
    }

    [MethodImpl(Alone)]
    private static List<RecordedStack> SortHere(StackRecorder recorder)
    {
        List<RecordedStack> seen = SortNatively(recorder);
        GC.KeepAlive(recorder);
        return seen;
    }

    [MethodImpl(Alone)]
    private static List<RecordedStack> SortThere(StackRecorder recorder)
    {
        List<RecordedStack> seen = SortNatively(recorder);
        GC.KeepAlive(recorder);
        return seen;
    }

    [MethodImpl(Alone)]
    private static List<RecordedStack> SortNatively(StackRecorder recorder)
    {
        List<RecordedStack> seen = [];
        Compare compare = (_, _) =>
        {
            seen.Add(One(recorder));
            return 0;
        };
        qsort(new int[4], 4, sizeof(int), compare);
        GC.KeepAlive(compare);
        return seen;
    }

    private delegate int Compare(nint left, nint right);

    [DllImport("libc")]
#pragma warning disable IDE1006, SYSLIB1054 // the name is the system's
    private static extern void qsort(int[] items, nint count, nint size, Compare compare);
#pragma warning restore IDE1006, SYSLIB1054

    private sealed class Recording
    {
        public required StackRecorder Recorder { get; init; }

        public RecordedStack? Stack { get; set; }
    }
}

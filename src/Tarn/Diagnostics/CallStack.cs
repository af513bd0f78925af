using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Stacks that tell who called a pool or heap.</summary>
internal static class CallStack
{
    /// <summary>So many of a caller's own frames tell a place from another.</summary>
    private const int PlaceFrames = 3;

    /// <summary>The stack here, with lines where symbols are at hand.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static StackTrace Capture() => new(skipFrames: 1, fNeedFileInfo: true);

    /// <summary>As <see cref="Capture"/>; null when there is no memory for it.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static StackTrace? TryCapture()
    {
        try
        {
            return new StackTrace(skipFrames: 1, fNeedFileInfo: true);
        }
        catch (OutOfMemoryException)
        {
            return null;
        }
    }

    /// <summary>
    /// The stack as text, from the method that called into this library. Frames of the runtime and of test runners are counted in a line
    /// instead of shown, but for one that called the library itself and one that the caller's own code called.
    /// </summary>
    internal static string Describe(StackTrace stack) => StackText.Write(Read(stack));

    /// <summary>
    /// The caller's own innermost frames in one line; where there are none, the innermost of any. Two stacks with one line come from one
    /// place.
    /// </summary>
    internal static string DescribePlace(StackTrace stack)
    {
        List<CallFrame> frames = Read(stack);
        IEnumerable<CallFrame> own = frames.Where(static frame => frame.Origin == FrameOrigin.Caller);
        IEnumerable<string> words = (own.Any() ? own : frames).Select(static frame => frame.Text).Where(static text => text.Length > 0);
        return string.Join(" ← ", words.Take(PlaceFrames));
    }

    /// <summary>The frames from the method that called into this library on; all of them where nobody did.</summary>
    private static List<CallFrame> Read(StackTrace stack)
    {
        List<CallFrame> frames = [.. stack.GetFrames().Select(static frame => new CallFrame(frame))];
        int first = frames.FindIndex(static frame => frame.Origin != FrameOrigin.Library);
        return first <= 0 ? frames : frames[first..];
    }
}

using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Tarn.Diagnostics;

/// <summary>Captures and formats the stacks of calls to a pool or heap.</summary>
internal static class CallStack
{
    /// <summary>The number of a caller's own frames that identify a place.</summary>
    private const int PlaceFrames = 3;

    /// <summary>Captures the current stack, with line numbers if symbols are available.</summary>
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
    /// Formats the stack, from the method that called this library. A line with a count replaces frames of the runtime and of test runners,
    /// except for a frame that called the library itself and one that the caller's own code called.
    /// </summary>
    internal static string Describe(StackTrace stack) => StackText.Write(Read(stack));

    /// <summary>
    /// Formats the caller's own innermost frames in one line or, if there are none, the innermost frames of any code. Two stacks with the
    /// same line come from the same place.
    /// </summary>
    internal static string DescribePlace(StackTrace stack)
    {
        List<CallFrame> frames = Read(stack);
        IEnumerable<CallFrame> own = frames.Where(static frame => frame.Origin == FrameOrigin.Caller);
        IEnumerable<string> words = (own.Any() ? own : frames).Select(static frame => frame.Text).Where(static text => text.Length > 0);
        return string.Join(" ← ", words.Take(PlaceFrames));
    }

    /// <summary>Reads the frames from the method that called this library on; all frames if none did.</summary>
    /// <param name="stack">The stack.</param>
    /// <param name="most">The most frames to look at, the innermost.</param>
    internal static List<CallFrame> Read(StackTrace stack, int most = int.MaxValue)
    {
        List<CallFrame> frames = [.. stack.GetFrames().Take(most).Select(static frame => new CallFrame(frame))];
        int first = frames.FindIndex(static frame => frame.Origin != FrameOrigin.Library);
        return first <= 0 ? frames : frames[first..];
    }
}

using System.Globalization;
using System.Text;

namespace Tarn.Diagnostics;

/// <summary>Formats a stack, with a line for each informative frame.</summary>
internal static class StackText
{
    /// <summary>The most frames shown: a recursion has thousands.</summary>
    internal const int MostFrames = 32;

    /// <summary>The most frames shown of a stack without a caller's frame.</summary>
    internal const int MostWithoutCaller = 8;

    internal static string Write(IReadOnlyList<CallFrame> frames)
    {
        int lastOfCaller = frames.Count - 1;
        while (lastOfCaller >= 0 && frames[lastOfCaller].Origin != FrameOrigin.Caller)
        {
            lastOfCaller--;
        }

        StringBuilder text = new();
        List<CallFrame> left = [];
        int shown = 0;
        for (int i = 0; i < frames.Count; i++)
        {
            bool isShown = lastOfCaller < 0 ? i < MostWithoutCaller : shown < MostFrames && Tells(frames, i, lastOfCaller);
            if (!isShown)
            {
                left.Add(frames[i]);
            }
            else if (frames[i].Text is { Length: > 0 } line)
            {
                WriteLeft(text, left);
                text.Append("   at ").AppendLine(line);
                shown++;
            }
        }

        WriteLeft(text, left);
        return text.ToString();
    }

    /// <summary>
    /// Whether a frame is informative. A frame of the runtime is if it called the library or the caller called it, but not past the
    /// caller's last frame.
    /// </summary>
    private static bool Tells(IReadOnlyList<CallFrame> frames, int index, int lastOfCaller) =>
        frames[index].Origin != FrameOrigin.Runtime
        || (index < lastOfCaller
            && (index == 0 || (frames[index + 1].Origin != FrameOrigin.Runtime && !frames[index].IsAsyncStart)));

    private static void WriteLeft(StringBuilder text, List<CallFrame> left)
    {
        if (left.Count > 0)
        {
            string assemblies = string.Join(", ", left.Select(static frame => frame.Assembly).Distinct());
            text.AppendLine(
                CultureInfo.InvariantCulture, $"   … {left.Count} {(left.Count == 1 ? "frame" : "frames")} of {assemblies}");
            left.Clear();
        }
    }
}

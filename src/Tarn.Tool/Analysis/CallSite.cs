using Tarn.Traces;

namespace Tarn.Tool.Analysis;

/// <summary>
/// A place in the recorded program that rents or returns: the innermost frames outside the pools. Several, because a wrapper around a pool
/// is called from many places, of which only some may be at fault.
/// </summary>
/// <param name="Frames">The frames, the innermost first; empty in a recording without stacks.</param>
/// <param name="Fallback">What the site is called without frames.</param>
internal sealed record CallSite(IReadOnlyList<StackFrame> Frames, string Fallback)
{
    /// <summary>The frames that distinguish sites.</summary>
    public const int Depth = 4;

    private static readonly string[] s_platform = ["System.", "Microsoft.", "mscorlib", "netstandard"];

    /// <summary>The method, and the line if it is known.</summary>
    public string Name => Frames.Count == 0 ? Fallback : Text(Frames[0]);

    /// <summary>The innermost frame that is not of the platform, if it is not the first; null if all or none are.</summary>
    public StackFrame? Own => Frames.FirstOrDefault(frame => !IsPlatform(frame)) is { } own && own != Frames[0] ? own : null;

    /// <summary>A frame as text: the method, the file's name, the line.</summary>
    public static string Text(StackFrame frame)
    {
        string method = frame.Method.Length > 0 ? frame.Method : frame.Module.Length > 0 ? $"(native) {frame.Module}" : "(unknown)";
        return frame.Line == 0 ? method : $"{method} in {FileName(frame)}:{frame.Line}";
    }

    /// <summary>The name of a frame's source file, whichever system it was compiled on.</summary>
    public static string FileName(StackFrame frame) => frame.File[(frame.File.AsSpan().LastIndexOfAny('/', '\\') + 1)..];

    private static bool IsPlatform(StackFrame frame) =>
        frame.Module.Length == 0 || s_platform.Any(prefix => frame.Module.StartsWith(prefix, StringComparison.Ordinal));
}

using System.Globalization;
using Tarn.Traces;

namespace Tarn.Tool.Analysis;

/// <summary>
/// A place in the recorded program that rents or returns: the innermost method outside the pools, and the methods of the program itself
/// that lead to it. Several, because a wrapper around a pool is called from many places, of which only some may be at fault.
/// </summary>
/// <param name="Frames">The frames, the innermost first; empty in a recording without stacks.</param>
/// <param name="Fallback">What the site is called without frames.</param>
internal sealed record CallSite(IReadOnlyList<StackFrame> Frames, string Fallback)
{
    private const int IdentifyingFrames = 2;
    private const int IdentifyingCalls = 3;

    /// <summary>What stands between a method and its caller in a name.</summary>
    public const string From = " ← ";

    /// <summary>The frames of the program itself, the innermost first. Empty where none is on the stack.</summary>
    public IReadOnlyList<StackFrame> Own { get; init; } = [];

    /// <summary>The frames of the name, of which there are more where two sites would else have one name.</summary>
    public IReadOnlyList<StackFrame> Named { get; init; } = [];

    /// <summary>The innermost method, and the first that is of the program itself, with lines where they are known.</summary>
    public string Name => Frames.Count == 0 ? Fallback : string.Join(From, Named.Select(Text));

    /// <summary>
    /// What identifies the site in several runs of a program: its methods, without lines, which every edit above moves, and without those
    /// of the platform. Its code is compiled several times in a run, each time with other methods inlined, which then may have no frame.
    /// </summary>
    public SiteIdentity Identity => new(
        Frames.Count == 0
            ? Fallback
            : string.Join(From, (Own.Count > 0 ? Own : Frames.Take(1)).Take(IdentifyingFrames).Select(frame => frame.Method)),
        [
            .. Own.Take(IdentifyingCalls).TakeWhile(frame => frame.Line > 0)
                .Select(frame => string.Create(CultureInfo.InvariantCulture, $"{frame.Method}:{frame.Line}")),
        ]);

    /// <summary>A frame as text: the method, the file's name, the line.</summary>
    public static string Text(StackFrame frame)
    {
        string method = frame.Method.Length > 0 ? frame.Method : frame.Module.Length > 0 ? $"(native) {frame.Module}" : "(unknown)";
        return frame.Line == 0 ? method : $"{method} in {FileName(frame)}:{frame.Line}";
    }

    /// <summary>The name of a frame's source file, whichever system it was compiled on.</summary>
    public static string FileName(StackFrame frame) => frame.File[(frame.File.AsSpan().LastIndexOfAny('/', '\\') + 1)..];
}

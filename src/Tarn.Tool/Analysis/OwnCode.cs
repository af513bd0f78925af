using Tarn.Traces;

namespace Tarn.Tool.Analysis;

/// <summary>
/// Tells the program's own methods from those of the platform and of packages: its sources are on this machine. Where none of a recording
/// are, as after a move to another machine, all that has no name of the platform and no sources elsewhere is its own.
/// </summary>
internal sealed class OwnCode
{
    private static readonly string[] s_platform = ["System.", "Microsoft.", "mscorlib", "netstandard"];

    /// <summary>Libraries whose methods hand out buffers for their callers.</summary>
    private static readonly string[] s_wrappers = ["CommunityToolkit.", "Tarn", "DotNext", "Nerdbank.Streams", "xunit.", "nunit."];

    /// <summary>
    /// What is on the stack where an asynchronous method goes on after an await. What follows there is whatever completed the awaited task,
    /// and calls nothing of the method. The runtime's own asynchronous methods, from .NET 11 on, have no state machine.
    /// </summary>
    private static readonly string[] s_resumptions =
    [
        "AsyncStateMachineBox", "AsyncHelpers.RuntimeAsyncTask", "Task.RunContinuations", "AwaitTaskContinuation",
        "ThreadPoolWorkQueue.Dispatch",
    ];

    private readonly HashSet<string> _modules;

    public OwnCode(StackTable stacks, SourceTree sources)
    {
        Sources = sources;
        _modules = [.. stacks.Frames.Where(frame => sources.Find(frame) is not null).Select(frame => frame.Module)];
        if (_modules.Count == 0)
        {
            _modules = [.. stacks.Frames.GroupBy(frame => frame.Module).Where(IsNamedAsOwn).Select(module => module.Key)];
        }
    }

    /// <summary>The sources on this machine.</summary>
    public SourceTree Sources { get; }

    /// <summary>
    /// The calls of the program itself, the innermost first, without those that did not lead to it. A method that calls itself, or that
    /// starts as an asynchronous one, counts once.
    /// </summary>
    public IEnumerable<StackFrame> Of(IEnumerable<StackFrame> stack)
    {
        StackFrame? last = null;
        foreach (StackFrame frame in stack.TakeWhile(frame => !IsResumption(frame)).Where(frame => _modules.Contains(frame.Module)))
        {
            if (frame.Method != last?.Method)
            {
                yield return frame;
            }

            last = frame;
        }
    }

    private static bool IsResumption(StackFrame frame) => frame.Module is "System.Private.CoreLib" or ""
        && s_resumptions.Any(one => frame.Method.Contains(one, StringComparison.Ordinal));

    private static bool IsNamedAsOwn(IGrouping<string, StackFrame> module) =>
        module.Key.Length > 0
        && !s_platform.Concat(s_wrappers).Any(prefix => module.Key.StartsWith(prefix, StringComparison.OrdinalIgnoreCase))
        && !module.Any(frame => frame.File.StartsWith("/_", StringComparison.Ordinal));
}

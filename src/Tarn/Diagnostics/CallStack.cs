using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Stacks that tell who called a pool or heap.</summary>
internal static class CallStack
{
    private static readonly string s_own = typeof(CallStack).Assembly.GetName().Name!;

    /// <summary>The stack here, with lines where symbols are at hand.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static StackTrace Capture() => new(skipFrames: 1, fNeedFileInfo: true);

    /// <summary>The stack as text, from the method that called into this library: what lies above it is ours and tells nothing.</summary>
    internal static string Describe(StackTrace stack)
    {
        StackFrame[] frames = stack.GetFrames();
        int first =
            Array.FindIndex(frames, static frame => DiagnosticMethodInfo.Create(frame)?.DeclaringAssemblyName is { } name && !IsOwn(name));
        return (first <= 0 ? stack : new StackTrace(frames[first..])).ToString();
    }

    /// <summary>Assembly names come with a version and without one.</summary>
    private static bool IsOwn(string assemblyName) =>
        assemblyName.StartsWith(s_own, StringComparison.Ordinal)
            && (assemblyName.Length == s_own.Length || assemblyName[s_own.Length] == ',');
}

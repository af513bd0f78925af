using System.Diagnostics;

namespace Tarn;

/// <summary>One frame of a stack.</summary>
internal sealed class CallFrame
{
    private static readonly string s_library = typeof(CallFrame).Assembly.GetName().Name!;

    /// <summary>The runtime's assemblies: those with one of these names, or with one of them before a dot.</summary>
    private static readonly string[] s_runtime =
    [
        "System", "mscorlib", "netstandard", "Microsoft.AspNetCore", "Microsoft.Extensions", "Microsoft.Win32",
        "Microsoft.VisualStudio", "Microsoft.TestPlatform", "Microsoft.Testing", "testhost", "vstest", "MSTest", "MSTestAdapter",
        "xunit", "nunit", "NUnit3", "TUnit", "BenchmarkDotNet",
    ];

    private readonly StackFrame _frame;

    internal CallFrame(StackFrame frame)
    {
        _frame = frame;

        // Names come with and without a version. A frame without a name may be anyone's.
        Assembly = DiagnosticMethodInfo.Create(frame)?.DeclaringAssemblyName?.Split(',')[0] ?? "";
        Origin =
            Assembly == s_library ? FrameOrigin.Library
            : s_runtime.Any(IsIn) ? FrameOrigin.Runtime
            : FrameOrigin.Caller;
    }

    /// <summary>The simple name of the assembly; empty when it is not known.</summary>
    internal string Assembly { get; }

    internal FrameOrigin Origin { get; }

    /// <summary>
    /// The method, with file and line if symbols are available; empty if the method is marked as hidden from stack traces.
    /// </summary>
    internal string Text
    {
        get
        {
            // The first word is "at", in the language of the process.
            string line = new StackTrace(_frame).ToString().Trim();
            return line[(line.IndexOf(' ', StringComparison.Ordinal) + 1)..];
        }
    }

    private bool IsIn(string family) =>
        Assembly.StartsWith(family, StringComparison.OrdinalIgnoreCase)
        && (Assembly.Length == family.Length || Assembly[family.Length] == '.');
}

using System.Diagnostics;

namespace Tarn.Diagnostics;

/// <summary>One frame of a stack.</summary>
internal sealed class CallFrame
{
    /// <summary>The other library, whose pipes rent here.</summary>
    private const string SharedMemory = "Tarn.SharedMemory";

    private static readonly string s_library = typeof(CallFrame).Assembly.GetName().Name!;

    /// <summary>The runtime's assemblies: those with one of these names, or with one of them before a dot.</summary>
    private static readonly string[] s_runtime =
    [
        "System", "mscorlib", "netstandard", "Microsoft.AspNetCore", "Microsoft.Extensions", "Microsoft.Win32",
        "Microsoft.VisualStudio", "Microsoft.TestPlatform", "Microsoft.Testing", "testhost", "vstest", "MSTest", "MSTestAdapter",
        "xunit", "nunit", "NUnit3", "TUnit", "BenchmarkDotNet",
    ];

    private readonly StackFrame _frame;
    private readonly DiagnosticMethodInfo? _method;

    internal CallFrame(StackFrame frame)
    {
        _frame = frame;
        _method = DiagnosticMethodInfo.Create(frame);

        // Names come with and without a version. A frame without a name may be anyone's.
        Assembly = _method?.DeclaringAssemblyName?.Split(',')[0] ?? "";
        Origin =
            Assembly == s_library || Assembly == SharedMemory ? FrameOrigin.Library
            : s_runtime.Any(IsIn) ? FrameOrigin.Runtime
            : FrameOrigin.Caller;
    }

    /// <summary>The simple name of the assembly; empty when it is not known.</summary>
    internal string Assembly { get; }

    internal FrameOrigin Origin { get; }

    /// <summary>Whether the compiler wrote the call of this frame: it starts an async method, and says nothing to a reader.</summary>
    internal bool IsAsyncStart =>
        Origin == FrameOrigin.Runtime
        && _method is { Name: "Start" } method
        && method.DeclaringTypeName.StartsWith("System.Runtime.CompilerServices.", StringComparison.Ordinal)
        && method.DeclaringTypeName.Contains("MethodBuilder", StringComparison.Ordinal);

    /// <summary>The method with its type, as in <see cref="Text"/>, without its parameters.</summary>
    internal string Method
    {
        get
        {
            string text = Text;
            int end = text.IndexOf('(', StringComparison.Ordinal);
            return end > 0 ? text[..end] : _method is { } method ? $"{method.DeclaringTypeName}.{method.Name}" : "(unknown)";
        }
    }

    /// <summary>The source file; empty if symbols are not available.</summary>
    internal string File => _frame.GetFileName() ?? "";

    /// <summary>The line in the file, from 1; 0 if symbols are not available.</summary>
    internal int Line => _frame.GetFileLineNumber();

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

namespace Tarn.Traces;

/// <summary>A method on a stack.</summary>
/// <param name="Method">Its full name, as a reader of the source knows it; empty if unknown.</param>
/// <param name="Module">The name of its assembly; empty if unknown.</param>
/// <param name="File">The source file of the call, from the program's symbols; empty if there are none.</param>
/// <param name="Line">The line of the call, from 1; 0 if there are no symbols.</param>
public sealed record StackFrame(string Method, string Module, string File = "", int Line = 0)
{
    /// <summary>The full name of the test that the method is, or that contains it; empty if it is of no test.</summary>
    public string Test { get; init; } = "";
}

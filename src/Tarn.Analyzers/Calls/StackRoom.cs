using System;
using System.Runtime.CompilerServices;

namespace Tarn.Analyzers.Calls;

/// <summary>Asks for room on the stack, of which a compiler's thread may have one megabyte.</summary>
internal static class StackRoom
{
    /// <summary>Returns whether an average method has room. Later versions of .NET answer without an exception.</summary>
    internal static bool IsLeft()
    {
        try
        {
            RuntimeHelpers.EnsureSufficientExecutionStack();
            return true;
        }
        catch (InsufficientExecutionStackException)
        {
            return false;
        }
    }
}

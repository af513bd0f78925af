using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>Recognizes which exceptions a handler catches.</summary>
internal static class Handlers
{
    /// <summary>Returns whether a handler catches every exception.</summary>
    internal static bool TakesAll(ControlFlowRegion handler) =>
        handler.ExceptionType is null
            or { SpecialType: SpecialType.System_Object }
            or { Name: "Exception", ContainingNamespace.Name: "System" };

    /// <summary>Returns whether a handler catches what ends a wait early.</summary>
    internal static bool TakesCancellation(ControlFlowRegion handler) =>
        handler.Kind is ControlFlowRegionKind.Catch or ControlFlowRegionKind.FilterAndHandler
        && handler.ExceptionType?.Name is "OperationCanceledException" or "TaskCanceledException" or "TimeoutException";
}

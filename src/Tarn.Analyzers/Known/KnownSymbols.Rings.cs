using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Known;

/// <content>Recognizes calls on what has memory that a later call ends: writers and scopes.</content>
internal sealed partial class KnownSymbols
{
    /// <summary>Returns the call as one that begins or ends memory of a writer or a scope; null if it does neither.</summary>
    internal RingCall? AsRingCall(IInvocationOperation call) =>
        MayGrow(call.TargetMethod) ? new RingCall(Begins: IsMemory(call.TargetMethod.ReturnType)) { Grows = true }
        : HasTarn && call.TargetMethod.Name is "Reset" && TarnOwners.IsScope(call.TargetMethod.ContainingType) ? new RingCall(Begins: false)
        : HasTarn && TarnOwners.IsOfScope(call.TargetMethod) && IsMemory(call.TargetMethod.ReturnType) ? new RingCall(Begins: true)
        : null;

    /// <summary>Returns whether a method of a writer may replace the writer's memory.</summary>
    internal bool MayGrow(IMethodSymbol method) =>
        method.Name is "Write" or "GetSpan" or "GetMemory" or "Reserve" or "Append" or "AppendSpan" or "AppendText" or "AppendFormatted"
        && HasTarn
        && TarnOwners.IsContiguousWriter(method.ContainingType);

    /// <summary>Returns whether a property is memory of a writer that a later call to the writer may replace.</summary>
    internal bool IsWritten(IPropertySymbol property) =>
        property.Name is "WrittenSpan" or "WrittenMemory" && HasTarn && TarnOwners.IsContiguousWriter(property.ContainingType);
}

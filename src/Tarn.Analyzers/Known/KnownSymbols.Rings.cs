using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Known;

/// <content>Recognizes calls on what has memory that a later call ends: rings, writers and scopes.</content>
internal sealed partial class KnownSymbols
{
    /// <summary>
    /// Returns the call as one that begins or ends a message in a ring, or memory of a writer; null if it does neither.
    /// </summary>
    internal RingCall? AsRingCall(IInvocationOperation call) =>
        MayGrow(call.TargetMethod)
        ? new RingCall(RingSide.None, Begins: IsMemory(call.TargetMethod.ReturnType), Message: null) { Grows = true }
        : HasTarn && call.TargetMethod.Name is "Reset" or "Rewind" or "Mark" && TarnOwners.IsScope(call.TargetMethod.ContainingType)
        ? new RingCall(RingSide.None, Begins: false, Message: null) { IsMark = call.TargetMethod.Name == "Mark" }
        : HasTarn && TarnOwners.IsOfScope(call.TargetMethod)
        ? (IsMemory(call.TargetMethod.ReturnType) ? new RingCall(RingSide.None, Begins: true, Message: null) : null)
        : !IsRing(call.TargetMethod.ContainingType) ? null
        : call.TargetMethod.Name switch
        {
            "BeginRead" => new RingCall(RingSide.Reader, Begins: true, Message: null),
            "BeginWrite" => new RingCall(RingSide.Writer, Begins: true, Message: null),
            "TryBeginRead" => new RingCall(RingSide.Reader, Begins: true, OutOf(call)),
            "TryBeginWrite" => new RingCall(RingSide.Writer, Begins: true, OutOf(call)),
            "EndRead" => new RingCall(RingSide.Reader, Begins: false, Message: null),
            "EndWrite" => new RingCall(RingSide.Writer, Begins: false, Message: null),
            _ => null,
        };

    /// <summary>Returns whether a method of a writer may replace the writer's memory.</summary>
    internal bool MayGrow(IMethodSymbol method) =>
        method.Name is "Write" or "GetSpan" or "GetMemory" or "Reserve" or "Append" or "AppendSpan" or "AppendText" or "AppendFormatted"
        && HasTarn
        && TarnOwners.IsContiguousWriter(method.ContainingType);

    /// <summary>Returns whether a property is memory of a writer that a later call to the writer may replace.</summary>
    internal bool IsWritten(IPropertySymbol property) =>
        property.Name is "WrittenSpan" or "WrittenMemory" && HasTarn && TarnOwners.IsContiguousWriter(property.ContainingType);

    /// <summary>Returns whether a type is a ring of shared memory, whose messages are used where they lie.</summary>
    internal bool IsRing(ITypeSymbol? type) => HasTarn && type is { Name: "SharedRing" } && Namespaces.Has(Tarn, type);
}

using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Flow;

/// <summary>Finds the captures that stand for the target of an assignment whose right side branches: taking one reads nothing.</summary>
internal static class AssignedCaptures
{
    internal static HashSet<CaptureId> In(ControlFlowGraph graph) =>
        [
            .. graph.Blocks
                .SelectMany(static block => block.Operations.Concat(block.BranchValue is null ? [] : [block.BranchValue]))
                .SelectMany(static operation => operation.DescendantsAndSelf())
                .OfType<IAssignmentOperation>()
                .Select(static assignment => assignment.Target)
                .OfType<IFlowCaptureReferenceOperation>()
                .Select(static target => target.Id),
        ];
}

using Microsoft.CodeAnalysis.FlowAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>Where a path goes on when the finally it runs through is done.</summary>
/// <param name="Finally">The region to run through.</param>
/// <param name="Target">The block behind it; null when it is <paramref name="Inner"/>'s turn, or an exception goes on.</param>
/// <param name="Inner">The next finally to run through, and what comes behind that.</param>
/// <param name="Outer">What was to come before this one was entered: it was entered inside of another finally.</param>
internal sealed record Continuation(ControlFlowRegion Finally, BasicBlock? Target, Continuation? Inner, Continuation? Outer);

using Microsoft.CodeAnalysis.FlowAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>Describes where a path continues after the finally that it runs through.</summary>
/// <param name="Finally">The region to run through.</param>
/// <param name="Target">The block after it; null if <paramref name="Inner"/> comes next, or an exception continues.</param>
/// <param name="Inner">The next finally to run through, and what comes after that.</param>
/// <param name="Outer">What was to come next before this one was entered from inside another finally.</param>
internal sealed record Continuation(ControlFlowRegion Finally, BasicBlock? Target, Continuation? Inner, Continuation? Outer);

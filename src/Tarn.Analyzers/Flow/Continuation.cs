using Microsoft.CodeAnalysis.FlowAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>Describes where a path continues after the finally block it runs through.</summary>
/// <param name="Finally">The region to run through.</param>
/// <param name="Target">The block after it; null if <paramref name="Inner"/> comes next, or an exception continues.</param>
/// <param name="Inner">The next finally block to run through, and its continuation.</param>
/// <param name="Outer">The pending continuation, if this one was entered from inside another finally block.</param>
internal sealed record Continuation(ControlFlowRegion Finally, BasicBlock? Target, Continuation? Inner, Continuation? Outer);

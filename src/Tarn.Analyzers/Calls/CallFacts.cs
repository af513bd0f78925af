using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Calls;

/// <summary>Answers what one call does whatever the path that reaches it, so that each path need not find it out again.</summary>
internal sealed class CallFacts
{
    internal CallFacts(IInvocationOperation call, KnownSymbols known, MethodSummaries summaries)
    {
        NeverReturns = summaries.NeverReturns(call.TargetMethod);
        if (!summaries.MayConcern(call.TargetMethod, known))
        {
            return;
        }

        IsDispose = known.IsDispose(call);
        Returned = known.AsReturn(call);
        Rent = known.AsRent(call) ?? summaries.AsRent(call);
        OnRing = known.AsRingCall(call);
    }

    /// <summary>Gets a value indicating whether it disposes the owner it is made on.</summary>
    internal bool IsDispose { get; }

    /// <summary>Gets the argument that it returns to a pool; null if there is none.</summary>
    internal IArgumentOperation? Returned { get; }

    /// <summary>Gets what it rents; null if it does not rent.</summary>
    internal RentCall? Rent { get; }

    /// <summary>Gets what it begins or ends in a ring; null if it does neither.</summary>
    internal RingCall? OnRing { get; }

    /// <summary>Gets a value indicating whether it never returns, but throws or ends the process.</summary>
    internal bool NeverReturns { get; }
}

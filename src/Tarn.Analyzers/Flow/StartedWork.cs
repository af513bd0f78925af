using System;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers whether a lambda that captures a buffer runs on another thread, and whether the method waits for it.</summary>
/// <remarks>
/// A wait need not name what it waits for: an event or a channel tells it. So each call that may wait ends the knowledge of all such work.
/// </remarks>
internal static class StartedWork
{
    private static readonly string[] s_waits =
    [
        "Wait", "Join", "Sync", "Drain", "Finish", "Complete", "Barrier", "Spin", "Result", "Until", "Stop", "Take", "Receive", "Read",
        "Accept", "Dequeue", "Dispose", "Flush", "Close",
    ];

    /// <summary>Returns whether an argument is a lambda that a call starts, or one that runs later.</summary>
    internal static bool IsStarted(IArgumentOperation argument) =>
        argument is { Value: IDelegateCreationOperation { Target: IFlowAnonymousFunctionOperation lambda }, Parent: { } parent }
        && StartOf(parent) is not null
        && !TellsOthers(lambda.Syntax);

    /// <summary>Starts work on what the lambdas of a call capture, if the call hands out no task for it.</summary>
    internal static void Start(IInvocationOperation call, ulong captured, FlowState state)
    {
        if (captured != 0 && StartOf(call) == "QueueUserWorkItem")
        {
            state.Pending |= captured;
            state.Started |= captured;
        }
    }

    /// <summary>Returns the thread or timer that a constructor makes for a lambda; an unknown value if it makes something else.</summary>
    internal static Value Make(IObjectCreationOperation creation, ulong captured, FlowState state)
    {
        string? made = captured == 0 ? null : StartOf(creation);
        if (made == "Timer")
        {
            state.Pending |= captured;
            state.Started |= captured;
        }

        return made is null ? Value.Unknown : new Value(ValueKind.Work, captured);
    }

    /// <summary>Ends what is known about started work where a call may wait for it.</summary>
    internal static void Wait(IMethodSymbol method, Value instance, FlowState state)
    {
        if (instance.Kind == ValueKind.Work && method is { Name: "Start", ContainingType.Name: "Thread" })
        {
            state.Pending |= instance.Resources;
            state.Started |= instance.Resources;
        }
        else if (state.Started != 0 && s_waits.Any(wait => method.Name.IndexOf(wait, StringComparison.Ordinal) >= 0))
        {
            Forget(state);
        }
    }

    /// <summary>Ends what is known about started work where the method waits for something else, other than for a time.</summary>
    internal static void Await(IAwaitOperation operation, Value value, FlowState state)
    {
        if (state.Started != 0
            && value.Kind != ValueKind.Work
            && KnownSymbols.WithoutConversions(operation.Operation) is not IInvocationOperation { TargetMethod.Name: "Delay" or "Yield" })
        {
            Forget(state);
        }
    }

    private static void Forget(FlowState state)
    {
        state.SettleWork(state.Started);
        state.Started = 0;
    }

    private static string? StartOf(IOperation parent) => parent switch
    {
        IInvocationOperation { TargetMethod: { Name: "Run", ContainingType.Name: "Task" } or { Name: "StartNew" or "ContinueWith" } } call
            when KnownSymbols.IsOfBaseLibrary(call.TargetMethod) => "Task",
        IInvocationOperation { TargetMethod: { Name: "QueueUserWorkItem" or "UnsafeQueueUserWorkItem" } queued }
            when KnownSymbols.IsOfBaseLibrary(queued) => "QueueUserWorkItem",
        IObjectCreationOperation { Type: { Name: "Thread" or "Timer", ContainingNamespace.Name: "Threading" } type } => type.Name,
        _ => null,
    };

    /// <summary>Returns whether a lambda assigns what others may ask for, so that a loop may wait for it.</summary>
    private static bool TellsOthers(SyntaxNode lambda) => lambda.DescendantNodes().Any(static node => node switch
    {
        AssignmentExpressionSyntax { Left: not ElementAccessExpressionSyntax } => true,
        PostfixUnaryExpressionSyntax { Parent: ExpressionStatementSyntax } => true,
        MemberAccessExpressionSyntax { Expression: IdentifierNameSyntax { Identifier.ValueText: "Volatile" or "Interlocked" } } => true,
        _ => false,
    });
}

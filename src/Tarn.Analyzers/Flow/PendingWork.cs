using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers whether a task that was started with a buffer is done with it.</summary>
internal static class PendingWork
{
    /// <summary>Starts work on resources and returns the task.</summary>
    internal static Value Start(IInvocationOperation call, ulong resources, FlowState state)
    {
        IMethodSymbol method = call.TargetMethod;
        switch (method.Name)
        {
            case "FromResult" or "FromException" or "FromCanceled":
                // A task that is created complete uses nothing.
                return Value.Unknown;
            case "WhenAny" when !IsResultDropped(call.Syntax):
                // The caller asks which task is complete; the meaning for the others is not followed.
                state.Escape(new Value(ValueKind.Work, resources));
                state.SettleWork(resources);
                return Value.Unknown;
            case "WhenAny":
                return Value.Unknown;
        }

        state.Pending |= resources;
        state.Started |= call.Arguments.Any(StartedWork.IsStarted) ? resources : 0;
        return new Value(ValueKind.Work, resources);
    }

    /// <summary>
    /// Calls a member of a task. Some members continue the work, some wait for it, and the effect of the others is unknown.
    /// </summary>
    internal static Value Call(IInvocationOperation call, Value work, FlowState state)
    {
        if (KnownSymbols.OnlyWrapsTask(call.TargetMethod))
        {
            return work;
        }

        switch (call.TargetMethod.Name)
        {
            case "WaitAsync" when call.Arguments.Length > 0:
                state.Doubtful |= work.Resources;
                return work;
            case "Start" or "UnsafeStart" or "Change" when !KnownSymbols.IsTask(call.TargetMethod.ContainingType):
                return Value.Unknown;
            default:
                state.SettleWork(work.Resources);
                return Value.Unknown;
        }
    }

    /// <summary>Awaits work and returns the state in which the wait throws: work whose wait had a limit may continue.</summary>
    internal static FlowState Await(Value work, FlowState state)
    {
        state.SettleWork(work.Resources);
        FlowState thrown = state.Copy();
        thrown.Change(state.Doubtful & work.Resources, static resource => resource with { IsInDoubt = true });
        state.Doubtful &= ~work.Resources;
        return thrown;
    }

    /// <summary>Returns the task that a statement neither awaits nor keeps; null if there is none.</summary>
    internal static IOperation? DroppedBy(IExpressionStatementOperation statement)
    {
        IOperation value = statement.Operation is ISimpleAssignmentOperation { Target: IDiscardOperation, Value: var discarded }
            ? discarded
            : statement.Operation;
        return KnownSymbols.IsTask(value.Type) ? value : null;
    }

    /// <summary>Reads a property of a task, whose meaning is not followed.</summary>
    internal static Value Ask(Value work, FlowState state)
    {
        state.SettleWork(work.Resources);
        state.Escape(work);
        return Value.Unknown;
    }

    /// <summary>Combines tasks into a value of some type, which is work itself if it is a collection of tasks.</summary>
    internal static Value Combine(ITypeSymbol? type, ulong resources, FlowState state)
    {
        if (KnownSymbols.IsTask(type is INamedTypeSymbol { TypeArguments.Length: 1 } named ? named.TypeArguments[0] : null))
        {
            return new Value(ValueKind.Work, resources);
        }

        state.SettleWork(resources);
        return Value.Unknown;
    }

    /// <summary>Passes a task and returns the resources that the call works on, if it combines tasks.</summary>
    internal static ulong Pass(Value work, IParameterSymbol? parameter, FlowState state)
    {
        if (parameter?.ContainingSymbol is IMethodSymbol callee
            && KnownSymbols.IsTask(callee.MethodKind == MethodKind.Constructor ? callee.ContainingType : callee.ReturnType))
        {
            return work.Resources;
        }

        // The method does not show whether the callee waits for the task.
        state.SettleWork(work.Resources);
        return 0;
    }

    private static bool IsResultDropped(SyntaxNode call)
    {
        for (SyntaxNode? node = call.Parent; node is ExpressionSyntax or ArgumentListSyntax; node = node.Parent)
        {
            if (node is AwaitExpressionSyntax { Parent: ExpressionStatementSyntax })
            {
                return true;
            }
        }

        return false;
    }
}

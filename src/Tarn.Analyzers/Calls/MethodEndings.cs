using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Calls;

/// <summary>Answers whether a method ever returns: some are marked, some end the process, and some only throw.</summary>
internal sealed class MethodEndings(MethodBodies bodies, ConcurrentDictionary<IMethodSymbol, bool> finished)
{
    /// <summary>The most nodes of a method without a throw that may still only call methods that throw.</summary>
    private const int MostNodes = 60;

    private readonly RecursiveInference<IMethodSymbol, bool> _results = new(finished, recursive: false, unseen: false);

    /// <summary>
    /// Returns whether a method is known not to return, whatever its code. One whose calls are left out of some builds, such as Debug.Fail,
    /// is not: those builds run what follows the call.
    /// </summary>
    internal static bool IsMarked(IMethodSymbol method)
    {
        bool isMarked = false;
        foreach (AttributeData attribute in method.GetAttributes())
        {
            switch (attribute.AttributeClass?.Name)
            {
                case "ConditionalAttribute":
                    return false;
                case "DoesNotReturnAttribute":
                    isMarked = true;
                    break;
            }
        }

        return isMarked || EndsProcess(method);
    }

    /// <summary>Returns whether a method ends the process without running finally blocks.</summary>
    internal static bool EndsProcess(IMethodSymbol method) =>
        method is { Name: "FailFast" or "Exit", ContainingType: { Name: "Environment", ContainingNamespace.Name: "System" } }
        && KnownSymbols.IsOfBaseLibrary(method);

    /// <summary>Returns whether no path through a method of the source reaches its end.</summary>
    internal bool Infer(IMethodSymbol method) => _results.Infer(method, InferFrom);

    private bool InferFrom(IMethodSymbol method) =>
        !method.IsAsync
        && method.DeclaringSyntaxReferences.Length == 1
        && MayOnlyThrow(method.DeclaringSyntaxReferences[0].GetSyntax())
        && bodies.Find(method) switch
        {
            IMethodBodyOperation body => !ReachesEnd(ControlFlowGraph.Create(body)),
            ILocalFunctionOperation { Body: { } body } => OnlyThrows(body),
            _ => false,
        };

    /// <summary>
    /// Returns whether the statements of a method may throw or run forever on every path, so that binding and following it is worthwhile.
    /// </summary>
    private static bool MayOnlyThrow(SyntaxNode method)
    {
        SyntaxNode? body = method switch
        {
            BaseMethodDeclarationSyntax declared => (SyntaxNode?)declared.Body ?? declared.ExpressionBody?.Expression,
            AccessorDeclarationSyntax accessor => (SyntaxNode?)accessor.Body ?? accessor.ExpressionBody?.Expression,
            LocalFunctionStatementSyntax local => (SyntaxNode?)local.Body ?? local.ExpressionBody?.Expression,
            _ => null,
        };
        bool mayEnd = MayEnd(body, withCalls: false)
            || (MayEnd(body, withCalls: true) && body!.DescendantNodes().Take(MostNodes + 1).Count() <= MostNodes);
        return mayEnd && !body!.DescendantNodes().Any(static node => node is YieldStatementSyntax);
    }

    /// <summary>Returns whether no path may lead past a statement, as far as the syntax shows.</summary>
    /// <param name="code">The statement or expression.</param>
    /// <param name="withCalls">Whether a call may be of a method that never returns.</param>
    private static bool MayEnd(SyntaxNode? code, bool withCalls) => code switch
    {
        ThrowStatementSyntax or ThrowExpressionSyntax => true,
        InvocationExpressionSyntax => withCalls,
        BlockSyntax block => block.Statements.Any(one => MayEnd(one, withCalls)),
        ExpressionStatementSyntax statement => MayEnd(statement.Expression, withCalls),
        ReturnStatementSyntax returned => MayEnd(returned.Expression, withCalls),
        ParenthesizedExpressionSyntax parenthesized => MayEnd(parenthesized.Expression, withCalls),
        CastExpressionSyntax cast => MayEnd(cast.Expression, withCalls),
        IfStatementSyntax branch => MayEnd(branch.Statement, withCalls) && MayEnd(branch.Else?.Statement, withCalls),
        ConditionalExpressionSyntax branch => MayEnd(branch.WhenTrue, withCalls) && MayEnd(branch.WhenFalse, withCalls),
        SwitchStatementSyntax choice => choice.Sections.All(one => one.Statements.Any(part => MayEnd(part, withCalls))),
        SwitchExpressionSyntax choice => choice.Arms.All(arm => MayEnd(arm.Expression, withCalls)),
        TryStatementSyntax attempt => MayEnd(attempt.Block, withCalls) || MayEnd(attempt.Finally?.Block, withCalls),
        WhileStatementSyntax loop => loop.Condition.IsKind(SyntaxKind.TrueLiteralExpression),
        ForStatementSyntax loop => loop.Condition is null,
        DoStatementSyntax loop => loop.Condition.IsKind(SyntaxKind.TrueLiteralExpression) || MayEnd(loop.Statement, withCalls),
        UsingStatementSyntax inner => MayEnd(inner.Statement, withCalls),
        LockStatementSyntax inner => MayEnd(inner.Statement, withCalls),
        FixedStatementSyntax inner => MayEnd(inner.Statement, withCalls),
        CheckedStatementSyntax inner => MayEnd(inner.Block, withCalls),
        UnsafeStatementSyntax inner => MayEnd(inner.Block, withCalls),
        LabeledStatementSyntax inner => MayEnd(inner.Statement, withCalls),
        _ => false,
    };

    /// <summary>Returns whether the statements of a local function throw, whose graph only its method's graph can make.</summary>
    private bool OnlyThrows(IBlockOperation body)
    {
        foreach (IOperation statement in body.Operations)
        {
            switch (statement)
            {
                case IThrowOperation or IExpressionStatementOperation { Operation: IThrowOperation }:
                case IReturnOperation { ReturnedValue: { } value } when Unwrap(value) is IThrowOperation || Ends(Unwrap(value)):
                case IExpressionStatementOperation { Operation: var operation } when Ends(operation):
                    return true;
                case IVariableDeclarationGroupOperation or IExpressionStatementOperation or ILocalFunctionOperation:
                    break;
                default:
                    return false;
            }
        }

        return false;
    }

    private static IOperation Unwrap(IOperation value) => value is IConversionOperation conversion ? Unwrap(conversion.Operand) : value;

    private bool Ends(IOperation operation) =>
        operation is IInvocationOperation { TargetMethod: { } method }
        && (IsMarked(method) || (!KnownSymbols.IsOfBaseLibrary(method) && Infer(MethodBodies.Implementation(method))));

    /// <summary>Returns whether a path reaches the exit. Every handler of an entered try block counts as reached.</summary>
    private bool ReachesEnd(ControlFlowGraph graph)
    {
        HashSet<int> seen = [0];
        Stack<BasicBlock> open = new([graph.Blocks[0]]);
        while (open.Count > 0)
        {
            BasicBlock block = open.Pop();
            if (block.Kind == BasicBlockKind.Exit)
            {
                return true;
            }

            foreach (BasicBlock handler in HandlersOf(block, graph))
            {
                Add(handler);
            }

            if (block.Operations.Concat(block.BranchValue is null ? [] : [block.BranchValue])
                .SelectMany(static operation => operation.DescendantsAndSelf()).Any(Ends))
            {
                continue;
            }

            Add(block.FallThroughSuccessor?.Destination);
            Add(block.ConditionalSuccessor?.Destination);
        }

        return false;

        void Add(BasicBlock? block)
        {
            if (block is not null && seen.Add(block.Ordinal))
            {
                open.Push(block);
            }
        }
    }

    private static IEnumerable<BasicBlock> HandlersOf(BasicBlock block, ControlFlowGraph graph)
    {
        for (ControlFlowRegion? region = block.EnclosingRegion; region is not null; region = region.EnclosingRegion)
        {
            if (region is { Kind: ControlFlowRegionKind.Try, EnclosingRegion: { Kind: ControlFlowRegionKind.TryAndCatch } whole })
            {
                foreach (ControlFlowRegion handler in whole.NestedRegions.Skip(1))
                {
                    yield return graph.Blocks[handler.FirstBlockOrdinal];
                }
            }
        }
    }
}

using System;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Calls;
using Tarn.Analyzers.Known;
using Tarn.Analyzers.Syntax;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers where a whole buffer is read although it may be longer than requested.</summary>
/// <remarks>
/// Code that compares a buffer's length, or divides or multiplies by it, knows that the length may differ from the requested one. Such a
/// buffer is not reported.
/// </remarks>
internal sealed class OversizedUses(MethodContext context, ValueLookup values)
{
    /// <summary>Records that code takes the real length of a buffer into account.</summary>
    internal void RecordMeasured(Value value)
    {
        if (value.Kind == ValueKind.Length)
        {
            context.Evidence.RecordMeasured(context.Resources[value.Resource].Site);
        }
    }

    /// <summary>Checks the result of the method: the length of an array that it filled, and returned to its pool, is no count.</summary>
    internal void CheckResult(Value result, SyntaxNode? site, FlowState state)
    {
        if (result.Kind == ValueKind.Length
            && site is not null
            && context.Resources[result.Resource] is { Rent: { IsExact: false } } info
            && state.GetResource(result.Resource) is { IsReturned: true, IsFilled: true, IsHandedOver: false })
        {
            context.Evidence.Observe(new Finding(FindingKind.OversizedLength, site, info.Site, info.Name), isBad: true);
        }
    }

    /// <summary>Checks an operation on two values, one of which may be the length of a buffer.</summary>
    internal void CheckBinary(IBinaryOperation operation, Value left, Value right, FlowState state)
    {
        Value length = left.Kind == ValueKind.Length ? left : right;
        if (length.Kind != ValueKind.Length)
        {
            return;
        }

        bool isBound = operation.OperatorKind is BinaryOperatorKind.LessThan or BinaryOperatorKind.NotEquals;
        if (isBound && operation.Syntax.Parent is ForStatementSyntax loop)
        {
            CheckLoop(loop, operation.RightOperand, length, state);
        }
        else if (operation.OperatorKind == BinaryOperatorKind.Subtract && left.Kind == ValueKind.Length)
        {
            CheckRest(operation, length, state);
        }
        else if (operation.OperatorKind is not (BinaryOperatorKind.Add or BinaryOperatorKind.Subtract))
        {
            RecordMeasured(length);
        }
    }

    /// <summary>Checks a value that is passed by value: a whole buffer may go to code that reads it.</summary>
    internal void CheckArgument(IArgumentOperation argument, IMethodSymbol method, IParameterSymbol parameter, Value value, FlowState state)
    {
        if (value.Kind == ValueKind.Length && method.ContainingType.Name is "Math")
        {
            RecordMeasured(value);
        }

        // Code that searches for a terminator knows that the contents end before the array does.
        if (value.IsToEnd && Sinks.Searches(method) && !LoopSyntax.OnlyAsks(argument.Parent!.Syntax))
        {
            context.Evidence.RecordMeasured(context.Resources[value.Resource].Site);
        }

        if (Sinks.WritesNumber(method, parameter))
        {
            Value length = value.Kind == ValueKind.Length ? value : Value.Unknown;
            Observe(argument.Value.Syntax, length, FindingKind.OversizedLength, state);
        }

        if (value.Kind == ValueKind.Length && Sinks.Copies(method) && KnownSymbols.IsOfBaseLibrary(method))
        {
            CheckCount(argument, value, state);
        }

        CheckWhole(argument, method, parameter, value, state);
    }

    /// <summary>
    /// Checks the length of a destination as the count of a copy: the source need not have so many elements. An array that is copied from
    /// its beginning and may be pooled too has them, or the copy is how arrays shrink.
    /// </summary>
    private void CheckCount(IArgumentOperation count, Value length, FlowState state)
    {
        ImmutableArray<IArgumentOperation> arguments = ArgumentsOf(count.Parent);
        IArgumentOperation? source = arguments.FirstOrDefault(static one => one.Parameter?.Name is "src" or "sourceArray");
        IArgumentOperation? target = arguments.FirstOrDefault(static one => one.Parameter?.Name is "dst" or "destinationArray");
        IArgumentOperation? offset = arguments.FirstOrDefault(static one => one.Parameter?.Name is "srcOffset" or "sourceIndex");
        if (source is null || target is null || values.Peek(target.Value, state) is not { Kind: ValueKind.Whole } whole
            || whole.Resources != length.Resources)
        {
            return;
        }

        bool isFromStart = offset is null || offset.Value.ConstantValue is { HasValue: true, Value: 0 };
        bool mayBePooled = values.Peek(source.Value, state) is var copied
            && copied.Kind != ValueKind.Fresh
            && (copied.IsOfResource || KnownSymbols.WithoutConversions(source.Value) is not IParameterReferenceOperation);
        Observe(count.Value.Syntax, isFromStart && mayBePooled ? Value.Unknown : length, FindingKind.Oversized, state);
    }

    /// <summary>Checks an element of a collection expression: a spread reads the whole buffer.</summary>
    internal void CheckSpread(IOperation collection, IOperation element, Value value, FlowState state)
    {
        if (collection.Syntax is SpreadElementSyntax || element.Syntax.Parent is SpreadElementSyntax)
        {
            Observe(element.Syntax, IsFull(value, state) ? Value.Unknown : value, FindingKind.Oversized, state);
        }
    }

    /// <summary>Checks the receiver of a call: the method may read all of it.</summary>
    /// <param name="call">The call.</param>
    /// <param name="value">The receiver's value.</param>
    /// <param name="passed">The resources among the arguments, a bit for each.</param>
    /// <param name="state">The state.</param>
    internal void CheckReceiver(IInvocationOperation call, Value value, ulong passed, FlowState state)
    {
        IMethodSymbol method = call.TargetMethod;
        if (!Sinks.ReadsReceiver(method)
            || !KnownSymbols.IsOfBaseLibrary(method)
            || (Sinks.Copies(method) && AnyIsRented(passed, state)))
        {
            return;
        }

        if (method.Name != "GetEnumerator" || call.Syntax.Parent is not CommonForEachStatementSyntax loop || LoopSyntax.ReadsAll(loop))
        {
            Observe(call.Instance!.Syntax, IsFull(value, state) ? Value.Unknown : value, FindingKind.Oversized, state);
        }
    }

    /// <summary>
    /// Checks an index: the last element of an array need not be the last requested one, and a range to its end may be longer than
    /// requested.
    /// </summary>
    internal void CheckIndex(IOperation element, IOperation index, Value array, FlowState state)
    {
        bool isWritten = element.Syntax.Parent is AssignmentExpressionSyntax assignment && assignment.Left == element.Syntax;
        bool isFromEnd = index is IUnaryOperation { OperatorKind: UnaryOperatorKind.Hat };
        if (!isWritten && (isFromEnd || (IsRest(index) && element.Type is IArrayTypeSymbol)))
        {
            Observe(element.Syntax, array, FindingKind.Oversized, state);
        }
    }

    /// <summary>Returns whether a range extends to the end of the array.</summary>
    internal static bool IsRest(IOperation index) =>
        index is IRangeOperation { RightOperand: null } range
        && range.LeftOperand is null or IConversionOperation { Operand.ConstantValue.HasValue: true };

    /// <summary>Checks a subtraction from the length: a loop that reads as much as still fits may read too much.</summary>
    private void CheckRest(IBinaryOperation rest, Value length, FlowState state)
    {
        if (context.Resources[length.Resource].Site is InvocationExpressionSyntax { ArgumentList.Arguments: { Count: 1 } requested }
            && rest.Syntax is BinaryExpressionSyntax { Left: MemberAccessExpressionSyntax array, Right: { } done }
            && LoopSyntax.ReadsUntil(rest.Syntax, array.Expression.ToString(), done.ToString(), requested[0].Expression.ToString()))
        {
            Observe(rest.Syntax, length, FindingKind.Oversized, state);
        }
    }

    /// <summary>Checks a loop over all elements: a loop that only reads them treats all of them as contents.</summary>
    private void CheckLoop(ForStatementSyntax loop, IOperation bound, Value length, FlowState state)
    {
        if (bound.Syntax is not MemberAccessExpressionSyntax { Expression: { } array })
        {
            return;
        }

        if (LoopSyntax.OnlyReads(loop.Statement, array.ToString()))
        {
            Observe(bound.Syntax, length, FindingKind.OversizedLength, state);
        }
        else if (LoopSyntax.Fills(loop.Statement, array.ToString()))
        {
            // All elements have contents then, however many there are.
            RecordMeasured(length);
        }
    }

    private void CheckWhole(IArgumentOperation argument, IMethodSymbol method, IParameterSymbol parameter, Value value, FlowState state)
    {
        if (value.IsToEnd && context.Summaries.EffectOf(parameter) is { } effect && (effect & ParameterEffect.OnContents) != 0)
        {
            FindingKind kind = (effect & ParameterEffect.ReadsAll) != 0 ? FindingKind.Oversized : FindingKind.OversizedLength;
            Observe(argument.Value.Syntax, IsFull(value, state) ? Value.Unknown : value, kind, state);
            return;
        }

        ImmutableArray<IArgumentOperation> arguments = ArgumentsOf(argument.Parent);
        bool isRead = Sinks.Reads(method, parameter)
            || (Sinks.Searches(method) && argument.Parent is { } search && LoopSyntax.OnlyAsks(search.Syntax))
            || (Sinks.NamesAWrite(method, parameter) && !IsSeen(parameter))
            || Sinks.MustFillAll(method, parameter)
            || IsBlindRead(argument, method, parameter, value)
            || IsStreamOver(method, parameter, value, arguments, state);
        if (!isRead || IsHarmless(argument.Parent, method, arguments, argument, state))
        {
            return;
        }

        bool isAll = value.IsToEnd
            && (!Sinks.IsCounted(method, parameter) || arguments.Any(other => values.IsLengthOf(other, value, state)));
        bool isMeant = !Sinks.Emits(method)
            && (IsFull(value, state)
                || (isAll && context.Resources[value.Resource].Name is { } name && ClearingSyntax.FillsRest(argument.Syntax, name)));
        Value read = (isAll && !isMeant) || value.Kind == ValueKind.Stack ? value : Value.Unknown;
        Observe(argument.Value.Syntax, read, FindingKind.Oversized, state);
    }

    /// <summary>Returns whether the source of a method shows what it does with an argument; a stub that only throws does not.</summary>
    private bool IsSeen(IParameterSymbol parameter) =>
        context.Summaries.EffectOf(parameter) is { } effect
        && (effect & ParameterEffect.MayKeep) == 0
        && !(parameter.ContainingSymbol is IMethodSymbol method && context.Summaries.NeverReturns(method));

    /// <summary>
    /// Returns whether a stream fills any part of a buffer and the code ignores how much. A buffer requested with a constant length that
    /// pools have exactly counts as having that length.
    /// </summary>
    private bool IsBlindRead(IArgumentOperation argument, IMethodSymbol method, IParameterSymbol parameter, Value value)
    {
        bool isUsed = argument.Parent?.Syntax.Parent
            is not (ExpressionStatementSyntax or AwaitExpressionSyntax { Parent: ExpressionStatementSyntax });
        return !isUsed
            && value.IsToEnd
            && Sinks.MayFillAll(method, parameter)
            && context.Resources[value.Resource].Rent is { Requested: not null } rent
            && !IsPowerOfTwo(rent);
    }

    /// <summary>Returns whether a stream is created over an array that already has contents, for reading.</summary>
    private static bool IsStreamOver(
        IMethodSymbol method, IParameterSymbol parameter, Value value, ImmutableArray<IArgumentOperation> arguments, FlowState state) =>
        method is { MethodKind: MethodKind.Constructor, ContainingType.Name: "MemoryStream" }
        && parameter.Type is IArrayTypeSymbol
        && KnownSymbols.IsOfBaseLibrary(method)
        && (arguments.Any(static argument =>
                argument is { Parameter.Name: "writable", Value.ConstantValue: { HasValue: true, Value: false } })
            || (value.IsOfResource && state.GetResource(value.Resource).IsFilled));

    private bool IsHarmless(
        IOperation? call,
        IMethodSymbol method,
        ImmutableArray<IArgumentOperation> arguments,
        IArgumentOperation argument,
        FlowState state) =>
        (Sinks.Copies(method) && arguments.Any(other => !ReferenceEquals(other, argument) && IsRented(other, state)))
        || call?.Syntax is BaseObjectCreationExpressionSyntax { Initializer: not null }
        || (call is not null && (LoopSyntax.IsLimited(call.Syntax) || LoopSyntax.IsCutLater(call.Syntax)));

    private bool IsRented(IArgumentOperation argument, FlowState state) =>
        values.Peek(argument.Value, state) is { IsOfResource: true } value && AnyIsRented(value.Resources, state);

    /// <summary>Returns whether this method rented one of several resources.</summary>
    private bool AnyIsRented(ulong resources, FlowState state)
    {
        for (int i = 0; i < state.ResourceCount; i++)
        {
            if ((resources & (1UL << i)) != 0 && context.Resources[i].Rent is not null)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Records that a path reaches a place that reads a whole value: a misuse if the value may be longer than requested.</summary>
    private void Observe(SyntaxNode site, Value value, FindingKind kind, FlowState state)
    {
        // A buffer on the stack replaces a pooled one, and is no evidence about it.
        if (value.Kind == ValueKind.Stack || (value.IsOfResource && state.GetResource(value.Resource).IsReturned))
        {
            return;
        }

        bool isOfResource = value.IsToEnd || value.Kind == ValueKind.Length;
        ResourceInfo? info = isOfResource ? context.Resources[value.Resource] : null;
        bool isBad = info?.Rent is { IsExact: false } rent
            && !(rent.Requested is not null && state.GetResource(value.Resource).IsFull);
        if (isBad && kind == FindingKind.OversizedLength && StandsForStack(info!.Site))
        {
            kind = FindingKind.Oversized;
        }

        if (isBad && IsPowerOfTwo(info!.Rent!))
        {
            kind = FindingKind.OversizedLength;
        }

        foreach (FindingKind each in isBad ? [kind] : new[] { FindingKind.Oversized, FindingKind.OversizedLength })
        {
            context.Evidence.Observe(new Finding(each, site, info?.Site, info?.Name ?? string.Empty), isBad);
        }
    }

    /// <summary>Returns whether the whole buffer was written, so that reading all of it is intended.</summary>
    private static bool IsFull(Value value, FlowState state) => value.IsOfResource && state.GetResource(value.Resource).IsFull;

    /// <summary>Returns whether the method takes the same length from the stack instead, so that it means all of what it has.</summary>
    private bool StandsForStack(SyntaxNode rent) =>
        rent is InvocationExpressionSyntax { ArgumentList.Arguments: { Count: 1 } requested }
        && requested[0].Expression is not LiteralExpressionSyntax
        && context.Syntax.DescendantNodes().OfType<StackAllocArrayCreationExpressionSyntax>().Any(stack =>
            stack.Type is ArrayTypeSyntax { RankSpecifiers: { Count: 1 } ranks }
            && ranks[0].Sizes.ToString() == requested[0].Expression.ToString());

    /// <summary>Returns whether the shared pool happens to return exactly the requested length, although it does not promise to.</summary>
    private static bool IsPowerOfTwo(RentCall rent) =>
        rent.Requested is >= 16 and <= 1 << 30 and int length && (length & (length - 1)) == 0;

    private static ImmutableArray<IArgumentOperation> ArgumentsOf(IOperation? call) => call switch
    {
        IInvocationOperation invocation => invocation.Arguments,
        IObjectCreationOperation creation => creation.Arguments,
        _ => ImmutableArray<IArgumentOperation>.Empty,
    };
}

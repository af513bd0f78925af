using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;
using Tarn.Analyzers.Syntax;

namespace Tarn.Analyzers.Calls;

/// <summary>Answers what becomes of a buffer in one body, from where it is read on.</summary>
/// <param name="body">The body.</param>
/// <param name="known">The known symbols.</param>
/// <param name="infer">Infers the effect of a called method's parameter; null if it is not seen.</param>
internal sealed class BufferUses(IOperation body, KnownSymbols known, Func<IParameterSymbol, ParameterEffect?> infer)
{
    /// <summary>The most uses that are followed.</summary>
    private const int MostUses = 400;

    private readonly HashSet<(ILocalSymbol, bool)> _locals = [];
    private readonly HashSet<IOperation> _results = [];
    private int _uses;

    /// <summary>Gets a value indicating whether the buffer has too many uses to follow.</summary>
    internal bool IsEndless => _uses > MostUses;

    /// <summary>Gets or sets a value indicating whether the result of the body is no use: handing it out is what is asked.</summary>
    internal bool MayBeResult { get; set; }

    /// <summary>Gets or sets a value indicating whether a variable of the caller may get the buffer, as that is what is asked.</summary>
    internal bool MayBeGiven { get; set; }

    /// <summary>Gets or sets a value indicating whether a return counts wherever it is.</summary>
    internal bool CountsAnyReturn { get; set; }

    /// <summary>Gets or sets a value indicating whether memory of the buffer does not matter, as it cannot be returned.</summary>
    internal bool IgnoresParts { get; set; }

    /// <summary>Returns whether every return statement of the body hands back what is followed.</summary>
    internal bool IsAlwaysResult() =>
        body.Descendants().OfType<IReturnOperation>().All(returned =>
            returned.ReturnedValue is not { } value
            || KnownSymbols.WithoutConversions(value) is IThrowOperation
            || _results.Contains(returned)
            || CertainPlaces.IsInFunction(returned, body));

    /// <summary>Returns what becomes of a value.</summary>
    /// <param name="value">The operation that reads it.</param>
    /// <param name="isWhole">Whether it is the buffer itself, and not a part of it or an object over it.</param>
    /// <param name="isToEnd">Whether it extends to the end of the buffer.</param>
    internal ParameterEffect Follow(IOperation value, bool isWhole, bool isToEnd)
    {
        if (IgnoresParts && IsPart(value.Type))
        {
            return ParameterEffect.None;
        }

        bool isInFunction = CertainPlaces.IsInFunction(value, body);
        if (++_uses > MostUses || !StackRoom.IsLeft() || (isInFunction && !IsInCallback(value)))
        {
            return ParameterEffect.MayKeep;
        }

        switch (value.Parent)
        {
            case null or IExpressionStatementOperation or ILockOperation or INameOfOperation:
            case IIsPatternOperation pattern when !UsePlaces.Declares(pattern.Pattern):
            case IBinaryOperation or IIsTypeOperation or IInterpolationOperation or IIncrementOrDecrementOperation:
                return ParameterEffect.None;
            case IConversionOperation conversion:
                return Follow(conversion, isWhole && !KnownSymbols.IsMemory(conversion.Type), isToEnd);
            case ICoalesceOperation or IConditionalOperation when UsePlaces.IsOnlyChoice(value):
                return Follow(value.Parent, isWhole, isToEnd);
            case ICoalesceOperation:
            case IConditionalOperation conditional when value != conditional.Condition:
                return Weaken(Follow(value.Parent, isWhole, isToEnd));
            case IArgumentOperation argument:
                return FollowArgument(argument, isWhole, isToEnd);
            case IInvocationOperation call when call.Instance == value:
                return FollowReceiver(call, isWhole, isToEnd);
            case IPropertyReferenceOperation property when property.Instance == value:
                return FollowProperty(property, isToEnd);
            case IArrayElementReferenceOperation element when element.ArrayReference == value:
                return element.Syntax.Parent is RefExpressionSyntax reference && !IsOfRefLocal(reference)
                    ? ParameterEffect.MayKeep
                    : ParameterEffect.None;
            case IImplicitIndexerReferenceOperation indexer when indexer.Instance == value:
                return KnownSymbols.IsMemory(indexer.Type) ? Follow(indexer, isWhole: false, isToEnd: false) : ParameterEffect.None;
            case IVariableInitializerOperation { Parent: IVariableDeclaratorOperation { Symbol: { } local } }:
                return FollowLocal(local, isWhole, isToEnd);
            case ISimpleAssignmentOperation assignment:
                return FollowAssignment(assignment, value, isWhole, isToEnd);
            case IConditionalAccessOperation access when access.Operation == value:
                return FollowAccess(access, isWhole, isToEnd);
            case IReturnOperation when isInFunction:
                return ParameterEffect.MayKeep;
            case IReturnOperation when MayBeResult:
                return ParameterEffect.None;
            case IReturnOperation:
                _results.Add(value.Parent);
                return ParameterEffect.HandsBack;
            case ITupleOperation when MayBeResult && UsePlaces.IsResult(value.Parent):
                return ParameterEffect.None;
            case IForEachLoopOperation loop when loop.Collection == value:
                return isToEnd && loop.Syntax is CommonForEachStatementSyntax each && LoopSyntax.ReadsAll(each)
                    ? ParameterEffect.ReadsAll : ParameterEffect.None;
            case IUsingOperation { Resources: var used } when used == value && isWhole:
                return ParameterEffect.Returns;
            case ITupleOperation or IArrayInitializerOperation or IAnonymousObjectCreationOperation:
                return ParameterEffect.Keeps;
            case { Kind: OperationKind.None }
                when value.Syntax.Parent is EqualsValueClauseSyntax { Parent.Parent.Parent: FixedStatementSyntax }:
                return ParameterEffect.None;
            default:
                return ParameterEffect.MayKeep;
        }
    }

    /// <summary>Returns the effects of all uses of a local variable that got the value.</summary>
    internal ParameterEffect FollowLocal(ILocalSymbol local, bool isWhole, bool isToEnd)
    {
        if (local.IsFixed || !_locals.Add((local, isToEnd)))
        {
            return ParameterEffect.None;
        }

        ParameterEffect effect = local is { IsUsing: true } && isWhole ? ParameterEffect.Returns : ParameterEffect.None;
        bool isReassigned = false;
        foreach (IOperation operation in body.Descendants())
        {
            if (operation is not ILocalReferenceOperation { Local: { } used } reference
                || !SymbolEqualityComparer.Default.Equals(used, local))
            {
                continue;
            }

            if (reference.Parent is ISimpleAssignmentOperation assignment && assignment.Target == reference)
            {
                isReassigned |= !KnownSymbols.IsNull(assignment.Value);
            }
            else
            {
                effect |= Follow(reference, isWhole, isToEnd);
            }
        }

        return isReassigned ? Weaken(effect) : effect;
    }

    /// <summary>Returns whether a reference to an element goes to a local variable that cannot leave the body.</summary>
    private bool IsOfRefLocal(RefExpressionSyntax reference) =>
        reference.Parent is EqualsValueClauseSyntax { Parent: VariableDeclaratorSyntax }
        && body.Syntax is MethodDeclarationSyntax { ReturnType: not RefTypeSyntax } or ConstructorDeclarationSyntax
            or LocalFunctionStatementSyntax { ReturnType: not RefTypeSyntax };

    /// <summary>Returns whether the function that a value is in is done when the call returns that receives it.</summary>
    private bool IsInCallback(IOperation value)
    {
        for (IOperation? outer = value; outer is not null && outer != body; outer = outer.Parent)
        {
            if (outer is IAnonymousFunctionOperation or ILocalFunctionOperation
                && !Callbacks.RunWithinCall(outer.Syntax, body.SemanticModel))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Returns whether a return counts, because every normal path reaches it or because that does not matter.</summary>
    private bool IsCertain(IOperation place) => CountsAnyReturn || CertainPlaces.IsReached(place, body);

    private static bool IsPart(ITypeSymbol? type) =>
        (KnownSymbols.IsMemory(type) && type!.Name != "ArraySegment") || KnownSymbols.HoldsMemory(type);

    /// <summary>Returns whether a value is made from a parameter alone.</summary>
    private static bool IsOf(IParameterSymbol parameter, IOperation value)
    {
        IOperation[] made = [.. value.DescendantsAndSelf().Where(one =>
            one is ILocalReferenceOperation or IParameterReferenceOperation
            && (one.Type is IArrayTypeSymbol || KnownSymbols.IsMemory(one.Type)))];
        return made.Length > 0
            && made.All(one => one is IParameterReferenceOperation { Parameter: { } used }
                && SymbolEqualityComparer.Default.Equals(used, parameter));
    }

    /// <summary>Returns an effect of which it is not certain that this buffer has it.</summary>
    private static ParameterEffect Weaken(ParameterEffect effect)
    {
        const ParameterEffect Certain = ParameterEffect.Returns | ParameterEffect.OnContents | ParameterEffect.HandsBack;
        ParameterEffect kept = (effect & ParameterEffect.HandsBack) != 0 ? ParameterEffect.Keeps : ParameterEffect.MayKeep;
        return (effect & Certain) == 0 ? effect : (effect & ~Certain) | kept;
    }

    private ParameterEffect FollowAssignment(ISimpleAssignmentOperation assignment, IOperation value, bool isWhole, bool isToEnd)
    {
        if (assignment.Target == value)
        {
            bool isReplaced = !KnownSymbols.IsNull(assignment.Value)
                && !(value is IParameterReferenceOperation { Parameter: { } replaced } && IsOf(replaced, assignment.Value));
            return isReplaced ? ParameterEffect.MayKeep : ParameterEffect.None;
        }

        ParameterEffect kept = assignment.Target switch
        {
            ILocalReferenceOperation { Local: { RefKind: RefKind.None } local } => FollowLocal(local, isWhole, isToEnd),
            IDiscardOperation => ParameterEffect.None,

            // The uses of a parameter that gets a part of its own value are followed as its own.
            IParameterReferenceOperation { Parameter: { RefKind: RefKind.None } parameter } when IsOf(parameter, value) =>
                ParameterEffect.None,
            IParameterReferenceOperation { Parameter.RefKind: RefKind.Ref or RefKind.Out } when MayBeGiven => ParameterEffect.None,
            _ => ParameterEffect.Keeps,
        };
        return assignment.Parent is IExpressionStatementOperation ? kept : kept | Follow(assignment, isWhole, isToEnd);
    }

    private ParameterEffect FollowAccess(IConditionalAccessOperation access, bool isWhole, bool isToEnd)
    {
        IOperation? instance = access.WhenNotNull.DescendantsAndSelf().OfType<IConditionalAccessInstanceOperation>().FirstOrDefault();
        return instance is null ? ParameterEffect.MayKeep : Follow(instance, isWhole, isToEnd);
    }

    private ParameterEffect FollowProperty(IPropertyReferenceOperation property, bool isToEnd)
    {
        if (property.Property.Name is "Length" or "LongLength")
        {
            return isToEnd ? LengthUses.EffectOf(property) : ParameterEffect.None;
        }

        if (KnownSymbols.IsMemory(property.Type))
        {
            return Follow(property, isWhole: false, isToEnd);
        }

        bool isArrayOfSegment = property.Property is { Name: "Array", ContainingType.Name: "ArraySegment" };
        return isArrayOfSegment ? Follow(property, isWhole: true, isToEnd: true)
            : KnownSymbols.IsOfBaseLibrary(property.Property) || property.Type is { SpecialType: not SpecialType.None }
                || (property.Type is ITypeParameterSymbol or { IsValueType: true } && known.IsPooled(property.Property.ContainingType))
            ? ParameterEffect.None
            : ParameterEffect.MayKeep;
    }

    private ParameterEffect FollowReceiver(IInvocationOperation call, bool isWhole, bool isToEnd)
    {
        IMethodSymbol method = call.TargetMethod;
        if (isWhole && (known.IsDispose(call) || KnownSymbols.IsDisposeOfAny(call)))
        {
            return IsCertain(call) ? ParameterEffect.Returns : ParameterEffect.MayKeep;
        }

        if (KnownSymbols.IsMemory(call.Type))
        {
            bool isRest = method.Name is "Slice" or "AsSpan" or "AsMemory"
                ? call.Arguments.Length == 1 && call.Arguments[0].Value.ConstantValue.HasValue
                : call.Arguments.IsEmpty;
            return Follow(call, isWhole: false, isToEnd && isRest);
        }

        bool isRead = isToEnd && Sinks.ReadsReceiver(method) && !Sinks.Copies(method) && method.Name != "GetEnumerator";
        return !KnownSymbols.IsOfBaseLibrary(method) ? (known.WorksOnItself(method) ? ParameterEffect.None : ParameterEffect.MayKeep)
            : isRead ? ParameterEffect.ReadsAll
            : ParameterEffect.None;
    }

    private ParameterEffect FollowArgument(IArgumentOperation argument, bool isWhole, bool isToEnd)
    {
        if (argument.Parameter is not { ContainingSymbol: IMethodSymbol method } parameter
            || parameter.RefKind is RefKind.Ref or RefKind.Out)
        {
            return ParameterEffect.MayKeep;
        }

        if (argument.Parent is IInvocationOperation call && ReferenceEquals(known.AsReturn(call), argument))
        {
            return isWhole && IsCertain(call) ? ParameterEffect.Returns : ParameterEffect.MayKeep;
        }

        if (known.TakesOwnership(parameter))
        {
            return IsCertain(argument.Parent!) ? ParameterEffect.Returns : ParameterEffect.MayKeep;
        }

        return KnownSymbols.IsOfBaseLibrary(method)
            ? FollowIntoLibrary(argument, method, parameter, isToEnd)
            : FollowIntoSource(argument, parameter, isWhole, isToEnd);
    }

    private ParameterEffect FollowIntoLibrary(IArgumentOperation argument, IMethodSymbol method, IParameterSymbol parameter, bool isToEnd)
    {
        if (KnownSymbols.Keeps(parameter))
        {
            return KnownSymbols.IsAdding(method) ? ParameterEffect.Keeps : ParameterEffect.MayKeep;
        }

        bool isRead = isToEnd
            && (Sinks.Reads(method, parameter)
                || Sinks.MustFillAll(method, parameter)
                || (Sinks.Searches(method) && LoopSyntax.OnlyAsks(argument.Parent!.Syntax)))
            && !Sinks.IsCounted(method, parameter)
            && !Sinks.Copies(method)
            && !LoopSyntax.IsLimited(argument.Parent!.Syntax);
        ParameterEffect read = isRead ? ParameterEffect.ReadsAll : ParameterEffect.None;
        IOperation called = argument.Parent!;
        switch (called)
        {
            case IObjectCreationOperation creation when KnownSymbols.IsMemory(creation.Type):
                return Follow(creation, isWhole: false, isToEnd && creation.Arguments.Length == 1);
            case IObjectCreationOperation creation when KnownSymbols.HoldsMemory(creation.Type) || KnownSymbols.IsTask(creation.Type):
                return Follow(creation, isWhole: false, isToEnd: false);
            case IInvocationOperation invocation when KnownSymbols.IsMemory(invocation.Type):
                bool isRest = invocation.Arguments.Length == 1
                    || (invocation.Arguments.Length == 2 && invocation.Arguments[1].Value.ConstantValue is { HasValue: true, Value: int });
                return read | Follow(invocation, isWhole: false, isToEnd && isRest);
            case IInvocationOperation invocation when KnownSymbols.IsTask(invocation.Type):
                return read | (UsePlaces.IsWaitedFor(invocation) ? ParameterEffect.None : ParameterEffect.MayKeep);
            case IInvocationOperation when KnownSymbols.IsDeferred(method):
                return ParameterEffect.MayKeep;
            default:
                return read;
        }
    }

    private ParameterEffect FollowIntoSource(IArgumentOperation argument, IParameterSymbol parameter, bool isWhole, bool isToEnd)
    {
        ParameterEffect? effect = infer(parameter.OriginalDefinition);
        if (known.Borrows(parameter))
        {
            effect = (effect ?? ParameterEffect.None) & ParameterEffect.OnContents;
        }

        if (effect is not { } inner)
        {
            return ParameterEffect.MayKeep;
        }

        if (!isToEnd)
        {
            inner &= ~ParameterEffect.OnContents;
        }

        if ((inner & ParameterEffect.Returns) != 0 && !(isWhole && IsCertain(argument.Parent!)))
        {
            inner = (inner & ~ParameterEffect.Returns) | ParameterEffect.MayKeep;
        }

        if (argument.Parent is not IInvocationOperation call)
        {
            return inner;
        }

        if ((inner & ParameterEffect.HandsBack) != 0)
        {
            bool isPart = KnownSymbols.IsMemory(call.Type);
            inner = (inner & ~ParameterEffect.HandsBack) | Follow(call, isWhole && !isPart, isToEnd && !isPart);
        }

        bool isWork = KnownSymbols.IsTask(call.Type) && !UsePlaces.IsWaitedFor(call);
        return isWork ? inner | ParameterEffect.MayKeep : inner;
    }
}

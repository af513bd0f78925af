using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Calls;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Fields;

/// <summary>Answers how a private field loses its rented buffer, from every use of the field.</summary>
/// <param name="type">The type of the field.</param>
/// <param name="bodies">All code of the type that is seen.</param>
/// <param name="summaries">What called methods do.</param>
internal sealed class UnreturnedFields(INamedTypeSymbol type, IReadOnlyList<FieldBody> bodies, MethodSummaries summaries)
{
    private const ParameterEffect Elsewhere = ParameterEffect.Keeps | ParameterEffect.MayKeep | ParameterEffect.HandsBack;

    /// <summary>Gets a value indicating whether something tells the type when it ends.</summary>
    internal bool IsDisposable { get; } =
        type.AllInterfaces.Any(static one => one.Name is "IDisposable" or "IAsyncDisposable")
        || (type.IsRefLikeType && type.GetMembers("Dispose").OfType<IMethodSymbol>().Any(DisposeRoots.IsRoot));

    /// <summary>Returns the fields that may get a rented buffer, as all uses of others need not be followed.</summary>
    internal IEnumerable<IFieldSymbol> FindRented(IEnumerable<IFieldSymbol> fields)
    {
        HashSet<ISymbol> rented = new(SymbolEqualityComparer.Default);
        foreach (FieldBody body in bodies)
        {
            foreach (IOperation operation in body.Root.DescendantsAndSelf())
            {
                (IEnumerable<IFieldSymbol> written, IOperation? value) = operation.Kind switch
                {
                    OperationKind.FieldInitializer when operation is IFieldInitializerOperation initializer =>
                        (initializer.InitializedFields, initializer.Value),
                    OperationKind.SimpleAssignment or OperationKind.CoalesceAssignment
                        when operation is IAssignmentOperation { Target: IFieldReferenceOperation { Field: { } field } } assignment =>
                        ([field], assignment.Value),
                    _ => ((IEnumerable<IFieldSymbol>)[], (IOperation?)null),
                };
                if (value is not null && value.DescendantsAndSelf().Any(one => one is IInvocationOperation or ILocalReferenceOperation))
                {
                    rented.UnionWith(written.Select(static field => field.OriginalDefinition));
                }
            }
        }

        return fields.Where(rented.Contains);
    }

    /// <summary>Returns how a field loses its buffer; null if it does not, or if that cannot be seen.</summary>
    internal UnreturnedField? Find(IFieldSymbol field)
    {
        SyntaxNode? rent = null;
        bool isReturned = false;
        bool isRentedAtOnce = false;
        bool isOnlyShaped = false;
        HashSet<SyntaxNode> seen = [];
        foreach (FieldBody body in bodies)
        {
            Uses uses = new(field, body, summaries);
            foreach (IOperation operation in body.Root.DescendantsAndSelf())
            {
                if (!uses.Add(operation, seen))
                {
                    return null;
                }
            }

            if (uses.IsReturned && uses.Rent is null)
            {
                return null;
            }

            isReturned |= uses.IsReturned;
            isRentedAtOnce |= uses.Rent is not null
                && body.Owner is (IFieldSymbol or IMethodSymbol { MethodKind: MethodKind.Constructor });
            isOnlyShaped |= uses.IsOnlyShaped;
            rent = uses.Rent is { } here && (rent is null || IsBefore(here, rent)) ? here : rent;
        }

        // A type that nothing disposes may keep what it works with, unless each object rents from its beginning.
        bool mayKeep = isReturned && (IsDisposable ? !HasOwnDispose() : !isRentedAtOnce);
        return rent is null || !IsAllOf(field, seen) || mayKeep ? null
            : new UnreturnedField(rent, isReturned, isOnlyShaped);
    }

    private static bool IsBefore(SyntaxNode one, SyntaxNode other) =>
        one.SyntaxTree == other.SyntaxTree && one.SpanStart < other.SpanStart;

    /// <summary>Returns whether the code of the type has no other mention of a field, such as in a part that is generated.</summary>
    private bool IsAllOf(IFieldSymbol field, HashSet<SyntaxNode> seen) =>
        type.DeclaringSyntaxReferences
            .SelectMany(static reference => reference.GetSyntax().DescendantNodes(static node => node is not AttributeListSyntax))
            .OfType<IdentifierNameSyntax>()
            .Where(name => name.Identifier.ValueText == field.Name)
            .All(name => seen.Contains(name) || (name.Parent is { } access && seen.Contains(access)));

    /// <summary>Returns whether the type declares what runs when it is disposed.</summary>
    private bool HasOwnDispose() =>
        bodies.Any(static body => body.Owner is IMethodSymbol method && DisposeRoots.IsRoot(method));

    /// <summary>The uses of a field in one body.</summary>
    private sealed class Uses(IFieldSymbol field, FieldBody body, MethodSummaries summaries)
    {
        /// <summary>The most variables that are followed.</summary>
        private const int MostLocals = 50;

        private readonly HashSet<ILocalSymbol> _locals = new(SymbolEqualityComparer.Default);

        internal SyntaxNode? Rent { get; private set; }

        internal bool IsReturned { get; private set; }

        internal bool IsOnlyShaped { get; private set; }

        /// <summary>Reads an operation; returns false if the buffer may be returned elsewhere.</summary>
        internal bool Add(IOperation operation, HashSet<SyntaxNode> seen)
        {
            if (operation.Kind is not (OperationKind.FieldInitializer or OperationKind.FieldReference))
            {
                return true;
            }

            if (operation is IFieldInitializerOperation initializer && initializer.InitializedFields.Any(IsField))
            {
                return Write(initializer.Value);
            }

            if (operation is not IFieldReferenceOperation { Field: { } used } reference || !IsField(used))
            {
                return true;
            }

            seen.Add(reference.Syntax);
            return reference.Parent switch
            {
                ISimpleAssignmentOperation { IsRef: false } assignment when assignment.Target == reference =>
                    Write(assignment.Value) && IsDone(assignment),
                ICoalesceAssignmentOperation assignment when assignment.Target == reference =>
                    Write(assignment.Value) && IsDone(assignment),
                _ => Follow(reference),
            };
        }

        private bool IsField(IFieldSymbol other) =>
            SymbolEqualityComparer.Default.Equals(other.OriginalDefinition, field.OriginalDefinition);

        private bool IsDone(IOperation assignment) => assignment.Parent is IExpressionStatementOperation || Follow(assignment);

        private bool Follow(IOperation value, bool mayReturn = true)
        {
            BufferUses uses = NewUses();
            ParameterEffect effect = uses.Follow(value, isWhole: true, isToEnd: true);
            bool isReturned = (effect & ParameterEffect.Returns) != 0;
            IsReturned |= isReturned;
            return (effect & Elsewhere) == 0 && !uses.IsEndless && (mayReturn || !isReturned);
        }

        private BufferUses NewUses() =>
            new(body.Root, body.Known, summaries.EffectOf) { CountsAnyReturn = true, IgnoresParts = true };

        /// <summary>Reads what the field gets; returns false if other code has it too.</summary>
        private bool Write(IOperation value)
        {
            switch (KnownSymbols.WithoutConversions(value))
            {
                case IInvocationOperation call when IsRent(call):
                    Rent ??= call.Syntax;
                    IsOnlyShaped |= body.Known.IsOnlyShaped(call);
                    return true;
                case ICoalesceOperation choice:
                    return Write(choice.Value) && Write(choice.WhenNull);
                case IConditionalOperation { WhenFalse: { } other } choice:
                    return Write(choice.WhenTrue) && Write(other);
                case ILocalReferenceOperation { Local: { } local }:
                    return WriteLocal(local);
                default:
                    return true;
            }
        }

        private bool IsRent(IInvocationOperation call) =>
            (body.Known.AsRent(call) ?? summaries.AsRent(call)) is { Kind: BufferKind.Array or BufferKind.Owner };

        /// <summary>Reads a local variable that the field gets; returns false if the body returns or keeps its array as well.</summary>
        private bool WriteLocal(ILocalSymbol local)
        {
            if (!_locals.Add(local))
            {
                return true;
            }

            if (_locals.Count > MostLocals)
            {
                return false;
            }

            foreach (IOperation operation in body.Root.Descendants())
            {
                bool isDone = operation switch
                {
                    IVariableDeclaratorOperation declarator when IsLocal(declarator.Symbol, local) =>
                        declarator.GetVariableInitializer() is not { } initializer || WriteCall(initializer.Value),
                    ILocalReferenceOperation { Local: { } used } reference when IsLocal(used, local) => reference.Parent switch
                    {
                        ISimpleAssignmentOperation assignment when assignment.Target == reference => WriteCall(assignment.Value),
                        ISimpleAssignmentOperation { Target: IFieldReferenceOperation { Field: { } target } } => IsField(target),
                        _ => Follow(reference, mayReturn: false),
                    },
                    _ => true,
                };
                if (!isDone)
                {
                    return false;
                }
            }

            return true;
        }

        private bool WriteCall(IOperation value) => KnownSymbols.WithoutConversions(value) is ILocalReferenceOperation || Write(value);

        private static bool IsLocal(ILocalSymbol one, ILocalSymbol other) => SymbolEqualityComparer.Default.Equals(one, other);
    }
}

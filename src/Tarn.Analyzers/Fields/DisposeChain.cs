using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Fields;

/// <summary>Follows the Dispose method of a type through the methods that it calls in the same type.</summary>
internal sealed class DisposeChain
{
    private readonly INamedTypeSymbol _type;
    private readonly IReadOnlyDictionary<IMethodSymbol, DisposeBody> _bodies;

    internal DisposeChain(INamedTypeSymbol type, IReadOnlyDictionary<IMethodSymbol, DisposeBody> bodies)
    {
        _type = type;
        _bodies = bodies;
    }

    /// <summary>Finds the calls that a second Dispose repeats with the same buffer.</summary>
    internal IEnumerable<FieldReturn> FindRepeated()
    {
        HashSet<FieldReturn> found = [];
        foreach (DisposeBody root in _bodies.Values.Where(static body => DisposeRoots.IsRoot(body.Method)))
        {
            Judge(root, static _ => true, found);
        }

        if (found.Count > 0 && GetFinalizer() is { } finalizer)
        {
            HashSet<ISymbol> fields = new(found.Select(static repeated => repeated.Field), SymbolEqualityComparer.Default);
            Judge(finalizer, fields.Contains, found);
        }

        return found.OrderBy(static repeated => repeated.Call.Syntax.SpanStart);
    }

    /// <summary>
    /// Finds calls in other methods that return a buffer and leave it in its field, so that Dispose, which may run at any time and tests
    /// nothing, returns it again.
    /// </summary>
    internal IEnumerable<FieldReturn> FindLeft()
    {
        DisposeBody[] roots =
        [
            .. _bodies.Values.Where(static body =>
                DisposeRoots.IsRoot(body.Method) && body.Method.Parameters.IsEmpty && body.Returns.Count > 0),
        ];
        return roots.Length == 0 ? [] : _bodies.Values
            .Where(
                static body =>
                    body.Method is { MethodKind: MethodKind.Ordinary, DeclaredAccessibility: not Accessibility.Private }
                        && !DisposeRoots.IsRoot(body.Method)
                        && !body.IsHandedOver)
            .SelectMany(
                body =>
                    body.Returns.Where(
                        left => IsLeft(body, left) && roots.Any(root => root.Returns.Any(again => IsReturnedAgain(root, left, again)))))
            .OrderBy(static left => left.Call.Syntax.SpanStart);
    }

    /// <summary>
    /// Whether the field still holds the returned buffer at the end of the calling method. Code before the call does not matter.
    /// </summary>
    private bool IsLeft(DisposeBody body, FieldReturn left) =>
        !left.IsOfElement
        && !body.IsInherited(left.Field)
        && !body.Writes(left.Field)
        && body.Calls.All(call => call.Site.Syntax.SpanStart < left.Call.Syntax.SpanStart)
        && !new DisposeGuards(body, left.Field, GetBody, IsNeverSetTo).Guard(left.Call);

    private bool IsReturnedAgain(DisposeBody root, FieldReturn left, FieldReturn again) =>
        SymbolEqualityComparer.Default.Equals(left.Field, again.Field)
        && root.Calls.All(call => call.Site.Syntax.SpanStart > again.Call.Syntax.SpanStart)
        && !new DisposeGuards(root, again.Field, GetBody, IsNeverSetTo).Guard(again.Call);

    /// <summary>Returns the finalizer, if it also runs after Dispose.</summary>
    private DisposeBody? GetFinalizer()
    {
        bool isSuppressed = _bodies.Values.Any(
            static body =>
                body.Operations.Any(static operation => operation is IInvocationOperation { TargetMethod.Name: "SuppressFinalize" }));
        return isSuppressed || _type.BaseType is { SpecialType: not SpecialType.System_Object }
            ? null
            : _bodies.Values.FirstOrDefault(static body => body.Method.MethodKind == MethodKind.Destructor);
    }

    private void Judge(DisposeBody root, Func<ISymbol, bool> isAsked, HashSet<FieldReturn> found)
    {
        if (GetReached(root) is not { } reached)
        {
            return;
        }

        foreach (IGrouping<ISymbol?, FieldReturn> returns in reached.SelectMany(static body => body.Returns)
            .GroupBy(static call => call.Field, SymbolEqualityComparer.Default))
        {
            ISymbol field = returns.Key!;
            if (root.IsInherited(field) && reached.Any(static body => body.CallsBase))
            {
                continue;
            }

            bool isOfElements = returns.Any(static call => call.IsOfElement);
            if (isAsked(field) && !reached.Any(body => body.Writes(field) || (isOfElements && body.Touches(field))))
            {
                Follow(root, field, found);
            }
        }
    }

    /// <summary>
    /// Returns every body that a root reaches; null when one of them cannot be seen, or passes the object to unseen code.
    /// </summary>
    private HashSet<DisposeBody>? GetReached(DisposeBody root)
    {
        HashSet<DisposeBody> reached = [root];
        Queue<DisposeBody> open = new(reached);
        while (open.Count > 0)
        {
            foreach (OwnCall call in open.Dequeue().Calls)
            {
                if (IsEmptyPart(call.Method))
                {
                    continue;
                }

                if (GetBody(call.Method) is not { } body)
                {
                    return null;
                }

                if (reached.Add(body))
                {
                    open.Enqueue(body);
                }
            }
        }

        return reached.Any(static body => body.IsHandedOver) ? null : reached;
    }

    /// <summary>Follows the calls that no condition guards against a field that was returned before.</summary>
    private void Follow(DisposeBody root, ISymbol field, HashSet<FieldReturn> found)
    {
        HashSet<DisposeBody> seen = [root];
        Stack<DisposeBody> open = new(seen);
        while (open.Count > 0)
        {
            DisposeBody body = open.Pop();
            DisposeGuards guards = new(body, field, GetBody, IsNeverSetTo);
            foreach (FieldReturn repeated in body.Returns)
            {
                if (SymbolEqualityComparer.Default.Equals(repeated.Field, field) && !guards.Guard(repeated.Call))
                {
                    found.Add(repeated);
                }
            }

            foreach (OwnCall call in body.Calls)
            {
                if (!IsEmptyPart(call.Method) && !PassesFalse(call.Site) && !guards.Guard(call.Site)
                    && GetBody(call.Method)! is var called && seen.Add(called))
                {
                    open.Push(called);
                }
            }
        }
    }

    /// <summary>
    /// Whether a field that looks like a flag never gets a value, or never changes: no code writes it after construction, or only if a
    /// setting allows it.
    /// </summary>
    private bool IsNeverSetTo(IFieldSymbol flag, bool? value) =>
        flag.DeclaredAccessibility == Accessibility.Private
        && SymbolEqualityComparer.Default.Equals(flag.ContainingType, _type)
        && _type.DeclaringSyntaxReferences.Length == 1
        && _type.GetTypeMembers().IsEmpty
        && _bodies.Values.All(body => value is { } other ? !body.MaySet(flag, !other) : !body.WritesAlways(flag));

    private DisposeBody? GetBody(IMethodSymbol method)
    {
        method = method.OriginalDefinition;
        return _bodies.TryGetValue(method.PartialImplementationPart ?? method, out DisposeBody? body) ? body : null;
    }

    /// <summary>Whether a method is a partial definition without an implementation, whose calls are removed.</summary>
    private static bool IsEmptyPart(IMethodSymbol method) => method is { IsPartialDefinition: true, PartialImplementationPart: null };

    /// <summary>Whether the call passes false, as a finalizer does.</summary>
    private static bool PassesFalse(IOperation site) =>
        site is IInvocationOperation call
            && call.Arguments.Any(static argument => argument.Value.ConstantValue is { HasValue: true, Value: false });
}

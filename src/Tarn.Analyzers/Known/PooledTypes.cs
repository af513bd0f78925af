using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Known;

/// <summary>Answers which types of the source return an array in Dispose, so that memory they expose must not outlive them.</summary>
internal sealed class PooledTypes
{
    /// <summary>The most objects in a chain of which each has the next.</summary>
    private const int MostWrapped = 4;

    private readonly ConcurrentDictionary<ITypeSymbol, bool> _types = new(SymbolEqualityComparer.Default);
    private readonly ConcurrentDictionary<IMethodSymbol, bool> _makers = new(SymbolEqualityComparer.Default);
    private readonly ConcurrentDictionary<ITypeSymbol, bool> _endings = new(SymbolEqualityComparer.Default);
    private readonly ConcurrentDictionary<IMethodSymbol, IParameterSymbol?> _takers = new(SymbolEqualityComparer.Default);
    private readonly ConcurrentDictionary<ITypeSymbol, PooledMembers> _members = new(SymbolEqualityComparer.Default);

    internal bool Contains(ITypeSymbol? type) =>
        type is INamedTypeSymbol { TypeKind: TypeKind.Class or TypeKind.Struct, DeclaringSyntaxReferences.IsEmpty: false } named
        && _types.GetOrAdd(named.OriginalDefinition, candidate =>
            !candidate.GetMembers("Dispose").IsEmpty
            && !GivesItselfAway(candidate)
            && (ReturnsWhenDisposed(candidate)
                || (candidate is INamedTypeSymbol wrapper && wrapper.InstanceConstructors.Any(constructor =>
                    (constructor.ContainingType.TypeKind == TypeKind.Class && Wraps(constructor, depth: 0))
                    || TakesOwner(constructor)))));

    /// <summary>
    /// Returns whether a constructor of a class rents the array that only Dispose returns, so that an object never disposed loses it.
    /// </summary>
    internal bool RentsWhenMade(IObjectCreationOperation creation) => RentsItself(creation) || RentsByArgument(creation);

    private bool RentsItself(IObjectCreationOperation creation) =>
        creation.Constructor is { ContainingType: { TypeKind: TypeKind.Class } type } constructor
        && Contains(type)
        && MayRent(constructor)
        && GrowthSwitch.Allows(
            creation, [.. constructor.DeclaringSyntaxReferences.Select(static reference => reference.GetSyntax())], []) == true;

    /// <summary>
    /// Returns whether a constructor gets a new object that rents, for a field from which only Dispose disposes it, as a factory gives it.
    /// </summary>
    private bool RentsByArgument(IObjectCreationOperation creation) =>
        creation.Constructor is { ContainingType: { } type } constructor
        && creation.Arguments.Any(argument =>
            KnownSymbols.WithoutConversions(argument.Value) is IObjectCreationOperation made
            && argument.Parameter is { } parameter
            && Contains(type)
            && TakesOwner(constructor, parameter)
            && RentsItself(made));

    private bool MayRent(IMethodSymbol constructor) =>
        _makers.GetOrAdd(constructor.OriginalDefinition, candidate => LosesArray(candidate, depth: 0));

    /// <summary>Returns whether only Dispose returns what a constructor rents, itself or in an object that it makes.</summary>
    private bool LosesArray(IMethodSymbol constructor, int depth) =>
        ((Rents(constructor) && ReturnsWhenDisposed(constructor.ContainingType)) || Wraps(constructor, depth))
        && !EndsWithoutDispose(constructor.ContainingType);

    /// <summary>
    /// Returns the parameter of a constructor that keeps an array in the field from which only Dispose returns it; null if there is none.
    /// </summary>
    internal IParameterSymbol? TakesArray(IMethodSymbol? constructor) =>
        constructor is { ContainingType: { } type }
        && constructor.Parameters.Any(static one => one.Type is IArrayTypeSymbol)
        && Contains(type)
            ? _takers.GetOrAdd(constructor.OriginalDefinition, candidate =>
                EndsWithoutDispose(candidate.ContainingType) ? null : FindTaken(candidate))
            : null;

    /// <summary>Returns the only parameter with an array, if the only field with an array gets it and Dispose returns that field.</summary>
    private static IParameterSymbol? FindTaken(IMethodSymbol constructor)
    {
        IParameterSymbol[] parameters = [.. constructor.Parameters.Where(static one => one.Type is IArrayTypeSymbol)];
        IFieldSymbol[] fields =
        [
            .. constructor.ContainingType.GetMembers().OfType<IFieldSymbol>()
                .Where(static field => !field.IsStatic && field.Type is IArrayTypeSymbol),
        ];
        if (parameters.Length != 1 || constructor.DeclaringSyntaxReferences.Length != 1)
        {
            return null;
        }

        string taken = parameters[0].Name;
        bool isKept = constructor.DeclaringSyntaxReferences[0].GetSyntax() switch
        {
            ConstructorDeclarationSyntax source => fields.Length == 1
                && source.DescendantNodes().OfType<AssignmentExpressionSyntax>().Any(assignment =>
                    NameOf(assignment.Left) == (fields[0].AssociatedSymbol ?? fields[0]).Name && NameOf(assignment.Right) == taken),

            // The parameter of the type itself is its field, or begins it.
            TypeDeclarationSyntax source => fields.Length == 0
                || (fields.Length == 1 && fields[0].DeclaringSyntaxReferences.All(reference =>
                    reference.GetSyntax() is VariableDeclaratorSyntax { Initializer.Value: { } first } && NameOf(first) == taken)),
            _ => false,
        };

        // A flag may say that the array is somebody else's.
        bool isFlagged = constructor.ContainingType.GetMembers().OfType<IFieldSymbol>().Any(static field =>
            field.Type.SpecialType == SpecialType.System_Boolean && field.Name.IndexOf("dispos", StringComparison.OrdinalIgnoreCase) < 0);
        return isKept && !isFlagged ? parameters[0] : null;
    }

    private static string NameOf(ExpressionSyntax expression) => expression switch
    {
        IdentifierNameSyntax name => name.Identifier.ValueText,
        MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax, Name: var name } => name.Identifier.ValueText,
        _ => string.Empty,
    };

    /// <summary>Returns the methods of such a type that rent and return.</summary>
    internal PooledMembers MembersOf(ITypeSymbol type) =>
        _members.GetOrAdd(type.OriginalDefinition, static candidate => new PooledMembers(candidate));

    /// <summary>
    /// Returns whether a creation of a struct makes an object that rents when one of its methods needs an array, as builders of strings
    /// on the stack do.
    /// </summary>
    internal bool RentsLater(IObjectCreationOperation creation) =>
        creation.Constructor is { ContainingType: { TypeKind: TypeKind.Struct } type }
        && Contains(type)
        && MembersOf(type) is { RentsLater: true } members
        && members.AllowsRent(creation) == true;

    /// <summary>
    /// Returns whether a constructor makes an object of the source that rents, for a field from which Dispose disposes it.
    /// </summary>
    private bool Wraps(IMethodSymbol constructor, int depth)
    {
        INamedTypeSymbol type = constructor.ContainingType;
        return depth < MostWrapped && type.GetMembers().OfType<IFieldSymbol>().Any(field =>
            !field.IsStatic
            && field.Type is INamedTypeSymbol { TypeKind: TypeKind.Class, DeclaringSyntaxReferences.IsEmpty: false } inner
            && DisposesField(type, field)
            && Makes(constructor, field, inner)
            && inner.InstanceConstructors.All(one => LosesArray(one, depth + 1)));
    }

    /// <summary>Returns whether a constructor keeps an object of the source that rents, for Dispose alone to dispose.</summary>
    private bool TakesOwner(IMethodSymbol constructor) => constructor.Parameters.Any(one => TakesOwner(constructor, one));

    private bool TakesOwner(IMethodSymbol constructor, IParameterSymbol parameter)
    {
        INamedTypeSymbol type = constructor.ContainingType;
        return parameter.Type is INamedTypeSymbol { TypeKind: TypeKind.Class, DeclaringSyntaxReferences.IsEmpty: false } inner
            && type.GetMembers().OfType<IFieldSymbol>().Any(field =>
                field is { IsStatic: false, DeclaredAccessibility: Accessibility.Private }
                && SymbolEqualityComparer.Default.Equals(field.Type, inner)
                && DisposesField(type, field)
                && Keeps(constructor, field, parameter)
                && !HandsOn(type, field))
            && !EndsWithoutDispose(type)
            && inner.InstanceConstructors.All(one => LosesArray(one, depth: 1));
    }

    /// <summary>Returns whether a field, and nothing else, gets a parameter of a constructor.</summary>
    private static bool Keeps(IMethodSymbol constructor, IFieldSymbol field, IParameterSymbol parameter)
    {
        IdentifierNameSyntax[] uses =
        [
            .. constructor.DeclaringSyntaxReferences.SelectMany(static reference => reference.GetSyntax().DescendantNodes())
                .OfType<IdentifierNameSyntax>().Where(name => name.Identifier.ValueText == parameter.Name && !IsMember(name)),
        ];
        return uses.Length == 1 && uses[0].Parent switch
        {
            AssignmentExpressionSyntax assignment => assignment.Right == uses[0] && NameOf(assignment.Left) == field.Name,
            EqualsValueClauseSyntax { Parent: VariableDeclaratorSyntax declarator } => declarator.Identifier.ValueText == field.Name,
            _ => false,
        };
    }

    /// <summary>
    /// Returns whether code of a type other than Dispose, such as a type inside it, does more with the object in a field than to use its
    /// members; or a constructor hands on the new object itself, which others may dispose.
    /// </summary>
    private static bool HandsOn(INamedTypeSymbol type, IFieldSymbol field) =>
        type.DeclaringSyntaxReferences.SelectMany(static reference => reference.GetSyntax().DescendantNodes()).Any(node =>
            node.FirstAncestorOrSelf<BaseMethodDeclarationSyntax>() is not MethodDeclarationSyntax { Identifier.ValueText: "Dispose" }
            && node switch
            {
                IdentifierNameSyntax name => name.Identifier.ValueText == field.Name
                    && !IsParameter(name) && !IsReceiver(name) && !IsFirstWrite(name),
                ThisExpressionSyntax self => self.Parent is not MemberAccessExpressionSyntax
                    && self.FirstAncestorOrSelf<BaseMethodDeclarationSyntax>() is ConstructorDeclarationSyntax,
                _ => false,
            });

    /// <summary>Returns whether a name is of a member of an object, such as that of <c>this</c>.</summary>
    private static bool IsMember(IdentifierNameSyntax name) => name.Parent is MemberAccessExpressionSyntax access && access.Name == name;

    /// <summary>Returns whether a name is of a parameter, which may have the name of the field.</summary>
    private static bool IsParameter(IdentifierNameSyntax name) =>
        !IsMember(name)
        && name.FirstAncestorOrSelf<BaseMethodDeclarationSyntax>() is { } method
        && method.ParameterList.Parameters.Any(parameter => parameter.Identifier.ValueText == name.Identifier.ValueText);

    private static ExpressionSyntax WithThis(IdentifierNameSyntax name) =>
        name.Parent is MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax } own ? own : name;

    private static bool IsFirstWrite(IdentifierNameSyntax name) =>
        WithThis(name) is { Parent: AssignmentExpressionSyntax assignment } whole
        && assignment.Left == whole
        && name.FirstAncestorOrSelf<BaseMethodDeclarationSyntax>() is ConstructorDeclarationSyntax;

    private static bool IsReceiver(IdentifierNameSyntax name)
    {
        ExpressionSyntax whole = WithThis(name);
        while (whole.Parent is PostfixUnaryExpressionSyntax or ParenthesizedExpressionSyntax)
        {
            whole = (ExpressionSyntax)whole.Parent;
        }

        return (whole.Parent is MemberAccessExpressionSyntax access && access.Expression == whole)
            || (whole.Parent is ConditionalAccessExpressionSyntax conditional && conditional.Expression == whole);
    }

    /// <summary>Returns whether a field gets nothing but a new object, where it is declared or in a constructor.</summary>
    private static bool Makes(IMethodSymbol constructor, IFieldSymbol field, INamedTypeSymbol inner)
    {
        ExpressionSyntax?[] values =
        [
            .. field.DeclaringSyntaxReferences.Select(static reference =>
                (reference.GetSyntax() as VariableDeclaratorSyntax)?.Initializer?.Value),
            .. constructor.DeclaringSyntaxReferences.Select(static reference => reference.GetSyntax())
                .OfType<ConstructorDeclarationSyntax>()
                .SelectMany(static source => source.DescendantNodes()).OfType<AssignmentExpressionSyntax>()
                .Where(assignment => NameOf(assignment.Left) == field.Name).Select(static assignment => assignment.Right),
        ];
        return field.IsReadOnly
            && values.Count(static value => value is not null) == 1
            && values.Single(static value => value is not null) switch
            {
                ImplicitObjectCreationExpressionSyntax => true,
                ObjectCreationExpressionSyntax made => made.Type.ToString() == inner.Name,
                _ => false,
            };
    }

    /// <summary>Returns whether Dispose disposes what is in a field, itself or by a variable, whatever its condition.</summary>
    private static bool DisposesField(INamedTypeSymbol type, IFieldSymbol field)
    {
        SyntaxNode[] nodes =
        [
            .. type.GetMembers("Dispose").OfType<IMethodSymbol>().SelectMany(static dispose => dispose.DeclaringSyntaxReferences)
                .SelectMany(static reference => reference.GetSyntax().DescendantNodes()),
        ];
        HashSet<string> names =
        [
            field.Name,
            .. nodes.OfType<VariableDeclaratorSyntax>()
                .Where(variable => variable.Initializer?.Value is { } value && NameOf(value) == field.Name)
                .Select(static variable => variable.Identifier.ValueText),
        ];
        return nodes.OfType<InvocationExpressionSyntax>().Any(call => NameOf(call) == "Dispose" && names.Contains(call switch
        {
            { Expression: MemberAccessExpressionSyntax { Expression: var disposed } } => NameOf(disposed),
            { Parent: ConditionalAccessExpressionSyntax { Expression: var disposed } } => NameOf(disposed),
            _ => string.Empty,
        }));
    }

    private static bool Rents(IMethodSymbol constructor)
    {
        IFieldSymbol[] fields = [.. constructor.ContainingType.GetMembers().OfType<IFieldSymbol>().Where(static field => !field.IsStatic)];
        return fields.Any(static field => field.Type is IArrayTypeSymbol)
            && (constructor.DeclaringSyntaxReferences.Select(static reference => reference.GetSyntax())
                    .OfType<ConstructorDeclarationSyntax>().Any(static source => CallsOnPool(source, "Rent"))
                || fields.SelectMany(static field => field.DeclaringSyntaxReferences)
                    .Any(static reference => CallsOnPool(reference.GetSyntax(), "Rent")));
    }

    /// <summary>Returns whether a method other than Dispose returns the array for good, itself or through a method of the type.</summary>
    private bool EndsWithoutDispose(INamedTypeSymbol type) =>
        _endings.GetOrAdd(type.OriginalDefinition, static candidate => FindEnding((INamedTypeSymbol)candidate));

    private static bool FindEnding(INamedTypeSymbol type)
    {
        (IMethodSymbol Method, SyntaxNode Source)[] methods =
        [
            .. type.GetMembers().OfType<IMethodSymbol>()
                .Where(static method => method.MethodKind != MethodKind.Constructor)
                .SelectMany(static method => method.DeclaringSyntaxReferences.Select(reference => (method, reference.GetSyntax()))),
        ];
        HashSet<string> ending =
        [
            .. methods.Where(static one => CallsOnPool(one.Source, "Return") && !CallsOnPool(one.Source, "Rent"))
                .Select(static one => one.Method.Name),
            "Dispose",
        ];
        return methods.Any(one =>
            one.Method is { DeclaredAccessibility: not Accessibility.Private, Name: not ("Dispose" or "DisposeAsync" or "Finalize") }
            && (ending.Contains(one.Method.Name)
                || one.Source.DescendantNodes().OfType<InvocationExpressionSyntax>().Any(call => ending.Contains(NameOf(call)))));
    }

    private static string NameOf(InvocationExpressionSyntax call) => call.Expression switch
    {
        MemberAccessExpressionSyntax access => access.Name.Identifier.ValueText,
        MemberBindingExpressionSyntax bound => bound.Name.Identifier.ValueText,
        SimpleNameSyntax name => name.Identifier.ValueText,
        _ => string.Empty,
    };

    /// <summary>Returns whether a method of such a type neither passes its object on nor returns its array for good.</summary>
    internal bool OnlyWorks(IMethodSymbol method) =>
        Contains(method.ContainingType)
        && method is { IsStatic: false, IsVirtual: false, IsAbstract: false, IsOverride: false, DeclaringSyntaxReferences.Length: 1 }
        && method.DeclaringSyntaxReferences[0].GetSyntax() is var source
        && (CallsOnPool(source, "Rent") || !CallsOnPool(source, "Return"))
        && !source.DescendantNodes().Any(static node => node switch
        {
            ThisExpressionSyntax self => self.Parent is not MemberAccessExpressionSyntax,
            InvocationExpressionSyntax call => NameOf(call) is "Dispose" or "DisposeAsync",
            _ => false,
        });

    /// <summary>
    /// Returns whether Dispose passes the object itself on, such as to the pool that it came from: the object keeps its buffer for the next
    /// user, and nobody has to dispose it.
    /// </summary>
    internal static bool GivesItselfAway(ITypeSymbol type) =>
        type.GetMembers().OfType<IMethodSymbol>()
            .Where(static method =>
                method.Name is "Dispose" or "DisposeAsync" || method.Name.EndsWith(".Dispose", StringComparison.Ordinal))
            .SelectMany(static dispose => dispose.DeclaringSyntaxReferences)
            .SelectMany(static reference => reference.GetSyntax().DescendantNodes())
            .Any(static node => node is ArgumentSyntax { Expression: ThisExpressionSyntax, Parent.Parent: InvocationExpressionSyntax call }
                && NameOf(call) is not ("SuppressFinalize" or "ThrowIf" or "KeepAlive"));

    private static bool ReturnsWhenDisposed(ITypeSymbol type) =>
        type.GetMembers("Dispose").OfType<IMethodSymbol>()
            .SelectMany(static dispose => dispose.DeclaringSyntaxReferences)
            .SelectMany(static reference => reference.GetSyntax().DescendantNodes())
            .OfType<InvocationExpressionSyntax>()
            .Any(static call => IsOnPool(call, "Return"));

    internal static bool CallsOnPool(SyntaxNode source, string name) =>
        source.DescendantNodesAndSelf().OfType<InvocationExpressionSyntax>().Any(call => IsOnPool(call, name));

    private static bool IsOnPool(InvocationExpressionSyntax call, string name) =>
        call.ArgumentList.Arguments.Count > 0
        && call.Expression is MemberAccessExpressionSyntax access
        && access.Name.Identifier.ValueText == name
        && access.Expression.ToString().IndexOf("pool", StringComparison.OrdinalIgnoreCase) >= 0;
}

using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Flow;

/// <summary>
/// Numbers the variables of a method that can be followed: locals, parameters, fields of this object, static fields, and the compiler's
/// captures.
/// </summary>
internal sealed class VariableTable
{
    private readonly Dictionary<ISymbol, int> _symbols = new(SymbolEqualityComparer.Default);
    private readonly Dictionary<CaptureId, int> _captures = [];
    private readonly Dictionary<CaptureId, IOperation> _captured = [];
    private readonly List<int> _fields = [];
    private readonly List<int> _references = [];
    private readonly Dictionary<int, IFieldSymbol> _fieldSymbols = [];
    private readonly List<(ISymbol Variable, ISymbol? Member, int Index)> _contents = [];
    private readonly ScopeTable _scopes;
    private readonly List<(int First, int Last)> _lives = [];
    private readonly List<object?> _keys = [];
    private readonly Func<ISymbol, bool> _isFollowed;
    private readonly BufferSlice _slice;
    private readonly CapturedNames _names;
    private readonly HashSet<CaptureId> _assigned;

    /// <param name="scopes">The scopes of locals and captures.</param>
    /// <param name="isFollowed">False for variables that lambdas or local functions write, and for those of an outer method.</param>
    /// <param name="slice">The variables that can affect buffers.</param>
    /// <param name="captured">The variables that lambdas and local functions may keep.</param>
    /// <param name="assigned">The captures that stand for the target of an assignment.</param>
    internal VariableTable(
        ScopeTable scopes, Func<ISymbol, bool> isFollowed, BufferSlice slice, CapturedNames captured, HashSet<CaptureId> assigned)
    {
        _scopes = scopes;
        _isFollowed = isFollowed;
        _slice = slice;
        _names = captured;
        _assigned = assigned;
    }

    /// <summary>Returns whether an inner function may keep the variable.</summary>
    internal bool IsCaptured(IOperation operation) => operation switch
    {
        ILocalReferenceOperation local => _names.Contains(local.Local.Name),
        IParameterReferenceOperation parameter => _names.Contains(parameter.Parameter.Name),
        IFlowCaptureReferenceOperation capture =>
            _captured.TryGetValue(capture.Id, out IOperation? source) && source is not IFlowCaptureReferenceOperation && IsCaptured(source),
        _ => false,
    };

    /// <summary>Gets the numbers of fields, which unseen code may change.</summary>
    internal IReadOnlyList<int> Fields => _fields;

    /// <summary>Gets the numbers of the caller's variables, passed by reference, seen so far.</summary>
    internal IReadOnlyList<int> References => _references;

    /// <summary>Returns whether a capture stands for the target of an assignment, and not for the value that it had before.</summary>
    internal bool IsTarget(CaptureId id) => _assigned.Contains(id);

    /// <summary>Records what a capture stands for.</summary>
    internal void Capture(CaptureId id, IOperation value) => _captured[id] = value;

    /// <summary>Returns the number of the variable that an operation reads or writes; -1 if the variable cannot be followed.</summary>
    internal int IndexOf(IOperation operation)
    {
        switch (operation)
        {
            case ILocalReferenceOperation local:
                return IndexOf(local.Local);
            case IParameterReferenceOperation parameter:
                return IndexOf(parameter.Parameter);
            case IFieldReferenceOperation { Instance: null or IInstanceReferenceOperation } field when !field.Field.IsConst:
                return IndexOf(field.Field);
            case IPropertyReferenceOperation { Instance: null or IInstanceReferenceOperation } property:
                return _symbols.TryGetValue(property.Property, out int index) ? index
                    : IsPlain(property.Property) ? IndexOf(property.Property)
                    : -1;
            case IFlowCaptureReferenceOperation capture:
                return IndexOf(capture.Id);
            case IConversionOperation { OperatorMethod: null } conversion:
                return IndexOf(conversion.Operand);
            case IDeclarationExpressionOperation declaration:
                return IndexOf(declaration.Expression);
            default:
                return -1;
        }
    }

    /// <summary>Returns the field with a number; null if it is not a field.</summary>
    internal IFieldSymbol? FieldOf(int index) => _fieldSymbols.TryGetValue(index, out IFieldSymbol? field) ? field : null;

    /// <summary>Returns whether something was added to the collection in a variable, or put in a member of the object in it.</summary>
    internal bool HasContents(ISymbol variable) => _contents.Any(one => SymbolEqualityComparer.Default.Equals(one.Variable, variable));

    /// <summary>
    /// Returns the number of the value most recently added to the collection in a variable, or put in a member of the object in it.
    /// </summary>
    internal int IndexOfContents(ISymbol variable, ISymbol? member = null)
    {
        foreach ((ISymbol known, ISymbol? part, int index) in _contents)
        {
            if (SymbolEqualityComparer.Default.Equals(known, variable) && SymbolEqualityComparer.Default.Equals(part, member))
            {
                return index;
            }
        }

        int added = Add((0, int.MaxValue), key: null);
        _contents.Add((variable, member, added));
        _fields.Add(added);
        return added;
    }

    /// <summary>Returns whether a variable refers to a resource, ignoring some names and the captures of the compiler.</summary>
    internal bool AreHolding(int resource, FlowState state, HashSet<string> others) =>
        _symbols.Any(variable => !others.Contains(variable.Key.Name) && state.GetVariable(variable.Value).Has(resource));

    /// <summary>Returns whether a variable that code after the start of a block may read refers to a resource.</summary>
    internal bool MayUse(int resource, int block, FlowState state)
    {
        for (int i = 0; i < state.VariableCount; i++)
        {
            if (state.GetVariable(i).Has(resource) && (!IsOwn(_keys[i]) || _slice.MayRead(_keys[i]!, block)))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Returns whether only the code of the method itself reads a variable, and no lambda or caller.</summary>
    private bool IsOwn(object? variable) => variable switch
    {
        ILocalSymbol { RefKind: RefKind.None } local => !_names.Contains(local.Name),
        IParameterSymbol { RefKind: RefKind.None } parameter => !_names.Contains(parameter.Name),
        CaptureId => true,
        _ => false,
    };

    /// <summary>Gets what functions inside the method do with its variables.</summary>
    internal CapturedNames Captured => _names;

    /// <summary>Returns the variables that a function reads, and whether it only disposes them.</summary>
    internal IEnumerable<(int Variable, string Name, bool IsOnlyDisposed)> ReadBy(SyntaxNode source, IMethodSymbol function) =>
        source.DescendantNodes().OfType<IdentifierNameSyntax>().Where(name => IsRead(name, function))
            .GroupBy(static name => name.Identifier.ValueText, IsDisposed)
            .SelectMany(reads => Named(reads.Key).Select(variable => (variable, reads.Key, reads.All(static isDisposed => isDisposed))));

    private static bool IsRead(IdentifierNameSyntax name, IMethodSymbol function) =>
        name.Parent is not NameColonSyntax
        && !(name.Parent is MemberAccessExpressionSyntax { Name: var member } && member == name)
        && !(name.Parent is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Length" } asked && asked.Expression == name)
        && !function.Parameters.Any(parameter => parameter.Name == name.Identifier.ValueText);

    private static bool IsDisposed(IdentifierNameSyntax name) =>
        name.Parent is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "Dispose" or "DisposeAsync" } access
        && access.Expression == name;

    /// <summary>Sets the value of a variable that a pattern declares.</summary>
    internal void Set(ILocalSymbol local, Value value, FlowState state)
    {
        if (IndexOf(local) is >= 0 and int index)
        {
            state.SetVariable(index, value);
        }
    }

    internal int IndexOf(CaptureId id)
    {
        if (!_captures.TryGetValue(id, out int index))
        {
            index = Add(_scopes.Of(id), id);
            _captures.Add(id, index);
        }

        return index;
    }

    /// <summary>Returns the real target of an assignment: the variable behind a capture.</summary>
    internal IOperation Resolve(IOperation target)
    {
        while (target is IFlowCaptureReferenceOperation capture && _captured.TryGetValue(capture.Id, out IOperation? source))
        {
            target = source;
        }

        return target;
    }

    /// <summary>Returns the variable that a capture was taken from; -1 if it was not taken from a variable.</summary>
    internal int SourceOf(IOperation operation) =>
        operation is IFlowCaptureReferenceOperation capture
            && _captured.TryGetValue(capture.Id, out IOperation? source)
            && source is not IFlowCaptureReferenceOperation
            ? IndexOf(source)
            : -1;

    /// <summary>Returns whether a property only stores its value.</summary>
    internal static bool IsPlain(IPropertySymbol property) =>
        property is { IsVirtual: false, IsOverride: false, IsAbstract: false, IsIndexer: false }
        && !property.ContainingType.GetMembers($"<{property.Name}>k__BackingField").IsEmpty;

    /// <summary>
    /// Forgets variables that are not in scope at a block or cannot affect a buffer, so that paths which differ only in them join.
    /// </summary>
    internal void LeaveScopes(int block, FlowState state)
    {
        for (int i = 0; i < state.VariableCount; i++)
        {
            bool isInScope = block >= _lives[i].First && block <= _lives[i].Last;
            Value value = state.GetVariable(i);
            if (value != Value.Unknown
                && (!isInScope || (value.Resources == 0 && _keys[i] is { } key && !_slice.Follows(key, block))))
            {
                state.SetVariable(i, Value.Unknown);
            }
        }
    }

    /// <summary>Returns the variables of a name seen so far.</summary>
    private IEnumerable<int> Named(string name) =>
        _symbols.Where(variable => variable.Key.Name == name).Select(static variable => variable.Value);

    private int Add((int First, int Last) life, object? key)
    {
        _lives.Add(life);
        _keys.Add(key);
        return _lives.Count - 1;
    }

    private int IndexOf(ISymbol symbol)
    {
        if (!_symbols.TryGetValue(symbol, out int index))
        {
            if (!_isFollowed(symbol))
            {
                return -1;
            }

            index = Add(_scopes.Of(symbol), symbol);
            _symbols.Add(symbol, index);
            if (symbol.Kind is SymbolKind.Field or SymbolKind.Property)
            {
                _fields.Add(index);
            }

            if (symbol is IParameterSymbol { RefKind: RefKind.Ref or RefKind.Out })
            {
                _references.Add(index);
            }

            if (symbol is IFieldSymbol field)
            {
                _fieldSymbols.Add(index, field);
            }
        }

        return index;
    }
}

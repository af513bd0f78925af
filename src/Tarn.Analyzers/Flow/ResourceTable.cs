using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>
/// Answers which buffers a method has: one for each call that rents, and one for each variable that was filled from outside.
/// </summary>
internal sealed class ResourceTable
{
    /// <summary>The most resources, because a value has one bit of a word for each.</summary>
    private const int Most = 64;

    private readonly List<ResourceInfo> _resources = [];
    private readonly Dictionary<SyntaxNode, int> _rented = [];
    private readonly Dictionary<int, int> _foreign = [];
    private readonly HashSet<string> _shaped = [];
    private readonly Dictionary<int, HashSet<string>> _targets = [];

    internal ResourceInfo this[int index] => _resources[index];

    /// <summary>Gets the number of resources seen so far.</summary>
    internal int Count => _resources.Count;

    /// <summary>Returns the number of the buffer that a call hands out; -1 if there are too many.</summary>
    /// <param name="call">The call.</param>
    /// <param name="rent">What it hands out.</param>
    /// <param name="name">The variable that gets the buffer out of a tuple; null if the buffer is the result itself.</param>
    internal int IndexOf(IInvocationOperation call, RentCall rent, string? name) => IndexOf(call.Syntax, rent, name);

    /// <summary>Returns the number of the buffer that a call, or one of its arguments, hands out; -1 if there are too many.</summary>
    /// <param name="site">The call or the argument.</param>
    /// <param name="rent">What it hands out.</param>
    /// <param name="name">The variable that gets the buffer; null if the buffer is the result itself.</param>
    internal int IndexOf(SyntaxNode site, RentCall rent, string? name)
    {
        if (!_rented.TryGetValue(site, out int index))
        {
            index = Add(new ResourceInfo(site, name ?? NameOf(site), rent.Kind, rent));
            _rented.Add(site, index);
            if (name is not null && index >= 0)
            {
                _targets.Add(index, [name]);
            }
        }

        return index;
    }

    /// <summary>Returns the number of the message that a call or a property begins; -1 if there are too many.</summary>
    internal int IndexOf(IOperation call)
    {
        if (!_rented.TryGetValue(call.Syntax, out int index))
        {
            index = Add(new ResourceInfo(call.Syntax, NameOf(call.Syntax), BufferKind.Message, null));
            _rented.Add(call.Syntax, index);
        }

        return index;
    }

    /// <summary>Returns the number of the buffer that a variable held when it was first read; -1 if there are too many.</summary>
    internal int IndexOf(int variable, IOperation read, string name, bool isPooled)
    {
        if (!_foreign.TryGetValue(variable, out int index))
        {
            BufferKind kind = read.Type is IArrayTypeSymbol ? BufferKind.Array : isPooled ? BufferKind.Pooled : BufferKind.Owner;
            index = Add(new ResourceInfo(read.Syntax, name, kind, null));
            _foreign.Add(variable, index);
        }

        return index;
    }

    /// <summary>Records a call that only the shape of its type shows to rent or return a buffer.</summary>
    internal void RecordShape(IInvocationOperation call, KnownSymbols known)
    {
        if (known.IsOnlyShaped(call))
        {
            _shaped.Add(
                _rented.TryGetValue(call.Syntax, out int index) && index >= 0 ? _resources[index].Name
                : call.Arguments.Length > 0 ? call.Arguments[0].Value.Syntax.ToString() : string.Empty);
        }
    }

    /// <summary>Returns whether a buffer is of a type that only has the shape of a pool.</summary>
    internal bool IsShaped(string name) => _shaped.Contains(name);

    /// <summary>Returns the number of the buffer that a call hands out; -1 if it hands out none.</summary>
    internal int Find(SyntaxNode call) => _rented.TryGetValue(call, out int index) ? index : -1;

    /// <summary>Returns whether a property describes an owner itself, such as its size or name, and reads no memory.</summary>
    internal bool IsAskedOfOwner(IPropertyReferenceOperation operation, Value instance) =>
        instance.Kind == ValueKind.Whole && _resources[instance.Resource].Kind == BufferKind.Owner
        && !operation.Property.IsIndexer
        && operation.Type is { SpecialType: not SpecialType.None and not SpecialType.System_IntPtr and not SpecialType.System_UIntPtr };

    /// <summary>Returns whether code is a call that hands out a buffer.</summary>
    internal bool IsRent(SyntaxNode? code) => code is not null && _rented.ContainsKey(code);

    /// <summary>Returns whether an expression is a part of what a variable is assigned.</summary>
    internal static bool IsAssigned(IOperation expression) => AssignedTo(expression.Syntax).Any();

    /// <summary>Returns those of some resources that are streams, a bit for each.</summary>
    internal ulong StreamsIn(ulong resources)
    {
        ulong streams = 0;
        for (int i = 0; i < _resources.Count; i++)
        {
            streams |= _resources[i].Rent is { IsStream: true } ? resources & (1UL << i) : 0;
        }

        return streams;
    }

    private int Add(ResourceInfo resource)
    {
        if (_resources.Count == Most)
        {
            return -1;
        }

        _resources.Add(resource);
        return _resources.Count - 1;
    }

    /// <summary>Returns the names of all variables that a resource is assigned to where it is rented.</summary>
    internal HashSet<string> TargetsOf(int resource)
    {
        if (!_targets.TryGetValue(resource, out HashSet<string>? names))
        {
            SyntaxNode[] targets = [.. AssignedTo(_resources[resource].Site)];
            names = [.. targets.OfType<IdentifierNameSyntax>().Select(static name => name.Identifier.ValueText)];
            names.UnionWith(targets.OfType<VariableDeclaratorSyntax>().Select(static declarator => declarator.Identifier.ValueText));
            _targets.Add(resource, names);
        }

        return names;
    }

    /// <summary>Returns the variable that a rent is assigned to, or the call itself.</summary>
    private static string NameOf(SyntaxNode rent) => AssignedTo(rent).FirstOrDefault() switch
    {
        VariableDeclaratorSyntax declarator => declarator.Identifier.ValueText,
        { } target when target.ToString() != "_" => target.ToString(),
        _ => rent.ToString(),
    };

    /// <summary>
    /// Returns the targets that a rent is assigned to, from the inside out: declarators, and the left sides of assignments.
    /// </summary>
    private static IEnumerable<SyntaxNode> AssignedTo(SyntaxNode rent)
    {
        for (SyntaxNode? node = rent.Parent;
            node is ExpressionSyntax or EqualsValueClauseSyntax or VariableDeclaratorSyntax;
            node = node.Parent)
        {
            switch (node)
            {
                case VariableDeclaratorSyntax declarator:
                    yield return declarator;
                    break;
                case AssignmentExpressionSyntax assignment:
                    yield return assignment.Left;
                    break;
            }
        }
    }
}

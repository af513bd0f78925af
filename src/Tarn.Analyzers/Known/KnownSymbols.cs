using System;
using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Linq;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Known;

/// <summary>
/// Recognizes the symbols of a compilation that handle buffers: the pools and memory of the base library and of Tarn, and the methods that
/// options name.
/// </summary>
internal sealed partial class KnownSymbols
{
    private const string Tarn = "Tarn";
    private const string RentedMark = "RentedAttribute";

    private static readonly ConditionalWeakTable<Compilation, KnownSymbols> s_compilations = new();

    private readonly BufferOptions _options;
    private readonly PooledTypes _pooledTypes;
    private readonly PoolShapes _shapes;
    private readonly ConcurrentDictionary<IMethodSymbol, bool> _rented;
    private readonly bool _hasRentedMark;
    private readonly ConcurrentDictionary<ITypeSymbol, bool> _owners;

    private KnownSymbols(Compilation compilation)
    {
        _options = BufferOptions.None;
        _pooledTypes = new PooledTypes();
        _shapes = new PoolShapes();
        Fields = new FieldUses();
        _rented = new ConcurrentDictionary<IMethodSymbol, bool>(SymbolEqualityComparer.Default);
        _owners = new ConcurrentDictionary<ITypeSymbol, bool>(SymbolEqualityComparer.Default);
        _hasRentedMark = Marks.Exist(compilation, RentedMark);
        HasTarn = compilation.AssemblyName == Tarn
            || compilation.ReferencedAssemblyNames.Any(static assembly => assembly.Name == Tarn);
    }

    private KnownSymbols(KnownSymbols other, BufferOptions options)
    {
        _options = options;
        _pooledTypes = other._pooledTypes;
        _shapes = other._shapes;
        Fields = other.Fields;
        _rented = other._rented;
        _hasRentedMark = other._hasRentedMark;
        _owners = other._owners;
        HasTarn = other.HasTarn;
    }

    /// <summary>Gets the uses of fields by types of the source.</summary>
    internal FieldUses Fields { get; }

    /// <summary>Gets a value indicating whether options name methods that rent or return.</summary>
    internal bool HasNamedMethods => _options.HasMethods;

    /// <summary>Gets a value indicating whether the compilation uses Tarn, or is Tarn itself.</summary>
    internal bool HasTarn { get; }

    /// <summary>Returns the symbols of a compilation, which all analyzers share.</summary>
    internal static KnownSymbols Of(Compilation compilation) =>
        s_compilations.GetValue(compilation, static one => new KnownSymbols(one));

    /// <summary>Returns these symbols extended by the options for a file.</summary>
    internal KnownSymbols In(SyntaxTree tree, AnalyzerOptions options)
    {
        BufferOptions added = new(options.AnalyzerConfigOptionsProvider.GetOptions(tree));
        return added.IsEmpty ? this : new KnownSymbols(this, added);
    }

    /// <summary>
    /// Returns whether a pool is known to keep the contents of a returned array: the call does not request clearing, and the pool does not
    /// clear by itself.
    /// </summary>
    internal bool KeepsContents(IInvocationOperation call) =>
        call.TargetMethod is { Name: "Return", ContainingType: { } pool }
        && IsArrayPool(pool)
        && (IsOfBaseLibrary(pool) || (pool.ContainingNamespace.Name == "Tarn" && IdentityOf(call.Instance) is { IsShared: true }))
        && call.Arguments.Length == 2
        && call.Arguments.All(static argument =>
            argument.Parameter?.Ordinal == 0 || argument.Value.ConstantValue is { HasValue: true, Value: false });

    /// <summary>Returns whether a call disposes the owner it is made on, or ends a message of a queue.</summary>
    internal bool IsDispose(IInvocationOperation call) =>
        call.TargetMethod is { Name: "Dispose" or "DisposeAsync", Parameters.Length: 0 } or { Name: "Commit" or "Pass" }
        && IsCandidate(call.TargetMethod)
        && WithoutConversions(call.Instance)?.Type is { } type
        && IsOwner(type);

    /// <summary>Returns whether a call disposes an object of which only that is known.</summary>
    internal static bool IsDisposeOfAny(IInvocationOperation call) =>
        call.TargetMethod is { Name: "Dispose" or "DisposeAsync", Parameters.Length: 0 } method
        && method.ContainingType.Name is "IDisposable" or "IAsyncDisposable";

    /// <summary>Returns whether a parameter takes ownership of its argument, to return it later.</summary>
    internal bool TakesOwnership(IParameterSymbol? parameter) =>
        parameter is not null
        && (HasAttribute(parameter.GetAttributes(), "TakesOwnershipAttribute") || _options.IsTransfer(parameter.ContainingSymbol));

    /// <summary>Returns whether a parameter is done with its argument when the call ends.</summary>
    internal bool Borrows(IParameterSymbol? parameter) =>
        parameter is not null
        && (HasAttribute(parameter.GetAttributes(), "BorrowedAttribute") || _options.IsBorrow(parameter.ContainingSymbol)
            || (parameter.Type.IsRefLikeType && IsMemory(parameter.Type))
            || IsOfBaseLibrary(ContractOf(parameter.ContainingSymbol))
            || (parameter.ContainingSymbol.IsExtern && parameter.Type is IArrayTypeSymbol));

    /// <summary>Returns the first declaration of a method, whose documentation its overrides keep.</summary>
    private static ISymbol ContractOf(ISymbol member)
    {
        IMethodSymbol? method = member as IMethodSymbol;
        while (method?.OverriddenMethod is { } overridden)
        {
            method = overridden;
        }

        return method ?? member;
    }

    /// <summary>
    /// Returns whether a method may keep its argument although nothing declares so: it accepts any object, as collections do, sets state
    /// for later calls, returns whether it took the argument, or wraps what an <c>await using</c> disposes.
    /// </summary>
    internal static bool Keeps(IParameterSymbol parameter)
    {
        ITypeSymbol type = parameter.OriginalDefinition.Type;
        if (type.IsRefLikeType)
        {
            return false;
        }

        return IsOfBaseLibrary(ContractOf(parameter.ContainingSymbol))
            ? type.TypeKind == TypeKind.TypeParameter
                || type.SpecialType == SpecialType.System_Object
                || parameter.ContainingSymbol.Name == "SetBuffer"
                || parameter.ContainingSymbol is IMethodSymbol { ReturnType.Name: "ConfiguredAsyncDisposable" }
            : parameter.ContainingSymbol is IMethodSymbol { ReturnType.SpecialType: SpecialType.System_Boolean };
    }

    /// <summary>
    /// Returns the value of a condition argument for which the method returns, such as true for an assertion; null if it returns for both.
    /// </summary>
    internal static bool? Ensures(IParameterSymbol? parameter)
    {
        if (parameter is not { Type.SpecialType: SpecialType.System_Boolean })
        {
            return null;
        }

        foreach (AttributeData attribute in parameter.GetAttributes())
        {
            if (attribute.AttributeClass?.Name == "DoesNotReturnIfAttribute"
                && attribute.ConstructorArguments.FirstOrDefault().Value is bool ends)
            {
                return !ends;
            }
        }

        return null;
    }

    /// <summary>Returns whether a method compares two objects, which for arrays and owners asks whether they are the same.</summary>
    internal static bool IsEquality(IMethodSymbol method) =>
        method is { Name: "ReferenceEquals" or "Equals", ContainingType.SpecialType: SpecialType.System_Object };

    /// <summary>Returns whether a call returns its argument as another type.</summary>
    internal static bool IsSameObject(IArgumentOperation argument) =>
        argument is
        {
            Parameter: { RefKind: RefKind.None, ContainingSymbol: IMethodSymbol { Name: "As", ContainingType: { Name: "Unsafe" } type } },
        }
        && Namespaces.Has("System.Runtime.CompilerServices", type);

    /// <summary>Returns whether a method of the base library examines only references, not the objects they refer to.</summary>
    internal static bool IsGuard(IMethodSymbol method) =>
        method.Name is "ThrowIfNull" or "ThrowIfNullOrEmpty" or "ReferenceEquals" or "KeepAlive" && IsOfBaseLibrary(method);

    /// <summary>
    /// Returns whether a method of the base library throws nothing, whatever its arguments, or only where a part of a buffer has wrong
    /// bounds.
    /// </summary>
    internal static bool NeverThrows(IMethodSymbol method) =>
        method.Name switch
        {
            "ReferenceEquals" or "KeepAlive" => IsOfBaseLibrary(method),
            "AsSpan" or "AsMemory" or "Slice" => IsMemory(method.ReturnType) && IsOfBaseLibrary(method),
            "Min" or "Max" => method.ContainingType is { Name: "Math" } math && Namespaces.Has("System", math),
            _ => false,
        };

    /// <summary>Returns whether a member of a task continues the work as another type, which never throws.</summary>
    internal static bool OnlyWrapsTask(IMethodSymbol member) => member.Name is "ConfigureAwait" or "AsTask" or "Preserve" or "GetAwaiter";

    /// <summary>Returns whether a method of a collection adds an element.</summary>
    internal static bool IsAdding(IMethodSymbol method) =>
        method.Name is "Add" or "AddFirst" or "AddLast" or "Enqueue" or "Insert" or "Push" or "TryAdd" or "TryWrite" or "set_Item";

    /// <summary>Returns whether a value of the type may be a buffer to track.</summary>
    internal bool IsBuffer(ITypeSymbol? type) => type is IArrayTypeSymbol || (type is not null && IsOwner(type));

    /// <summary>Returns whether a type is an owner of memory: its Dispose ends the life of the memory.</summary>
    internal bool IsOwner(ITypeSymbol type)
    {
        if (type.SpecialType != SpecialType.None || type.TypeKind is TypeKind.Enum or TypeKind.Delegate or TypeKind.Array)
        {
            return false;
        }

        ITypeSymbol definition = type.OriginalDefinition;
        return _owners.TryGetValue(definition, out bool isOwner) ? isOwner
            : _owners.GetOrAdd(
                definition,
                IsMemoryOwner(definition) || IsScarceOwner(definition) || IsLease(definition) || IsPooled(definition)
                    || NamedPools.IsOwner(definition) || (HasTarn && TarnOwners.IsOwner(definition)));
    }

    /// <summary>Returns whether a type of the source returns an array when it is disposed. Its other members may remain usable.</summary>
    internal bool IsPooled(ITypeSymbol? type) => _pooledTypes.Contains(type) || (type is not null && NamedPools.IsSequence(type));

    /// <summary>Returns whether an expression creates an object that rents an array for its Dispose to return.</summary>
    internal bool MakesOwner(IObjectCreationOperation creation) =>
        _pooledTypes.RentsWhenMade(creation) || NamedPools.IsWriter(creation.Type) || (HasTarn && TarnOwners.IsWriter(creation.Type));

    /// <summary>
    /// Returns the parameter of a constructor through which an object of the source gets the array that only its Dispose returns; null if
    /// there is none.
    /// </summary>
    internal IParameterSymbol? TakesArray(IMethodSymbol? constructor) => _pooledTypes.TakesArray(constructor);

    /// <summary>Returns whether an expression creates a builder of the source, which rents when it needs an array.</summary>
    internal bool MakesBuilder(IObjectCreationOperation creation) => _pooledTypes.RentsLater(creation);

    /// <summary>Returns whether a method of a type that owns an array only works with its object, as one that adds an element.</summary>
    internal bool WorksOnItself(IMethodSymbol method) => _pooledTypes.OnlyWorks(method);

    /// <summary>Returns the methods of a type of the source that rent and return; null if the type does not return an array.</summary>
    internal PooledMembers? MembersOf(ITypeSymbol? type) => _pooledTypes.Contains(type) ? _pooledTypes.MembersOf(type!) : null;

    /// <summary>Returns whether a type exposes memory that another object owns.</summary>
    internal static bool IsMemory(ITypeSymbol? type) => type is INamedTypeSymbol { Arity: 1 } && type.Name switch
    {
        "Span" or "ReadOnlySpan" or "Memory" or "ReadOnlyMemory" or "ArraySegment" => Namespaces.Has("System", type),
        "ReadOnlySequence" => Namespaces.Has("System.Buffers", type),
        _ => false,
    };

    /// <summary>Returns whether an object created from an array continues to use the array instead of a copy.</summary>
    internal static bool HoldsMemory(ITypeSymbol? type) =>
        IsOfBaseLibrary(type)
        && type!.Name is "MemoryStream" or "ByteArrayContent" or "ReadOnlyMemoryContent" or "BinaryReader" or "StreamReader"
            or "StreamContent" or "BufferedStream" or "GZipStream" or "DeflateStream" or "ZLibStream" or "BrotliStream" or "CryptoStream";

    /// <summary>Returns whether a method of the base library returns a new array on each call, for the caller to keep.</summary>
    internal static bool ReturnsFreshArray(IMethodSymbol method) =>
        method.OriginalDefinition.ReturnType is IArrayTypeSymbol
        && method.Name is "ToArray" or "GetBytes" or "GetChars" or "ToCharArray" or "ReadAllBytes" or "FromBase64String"
            or "FromHexString" or "AllocateArray" or "AllocateUninitializedArray" or "HashData" or "ComputeHash"
        && IsOfBaseLibrary(method);

    /// <summary>Returns whether a method creates a query that reads its argument only during enumeration.</summary>
    internal static bool IsDeferred(IMethodSymbol method) =>
        method is { ContainingType: { Name: "Enumerable", ContainingNamespace.Name: "Linq" }, ReturnType.TypeKind: TypeKind.Interface }
        && IsOfBaseLibrary(method);

    internal static bool IsTask(ITypeSymbol? type) => type?.Name switch
    {
        "Task" or "ValueTask" => Namespaces.Has("System.Threading.Tasks", type),
        "ConfiguredTaskAwaitable" or "ConfiguredValueTaskAwaitable" => Namespaces.Has("System.Runtime.CompilerServices", type),
        _ => false,
    };

    /// <summary>Returns whether a symbol is of the base library, which keeps nothing unless its documentation says so.</summary>
    internal static bool IsOfBaseLibrary(ISymbol? symbol)
    {
        INamespaceSymbol? space = symbol?.ContainingNamespace;
        while (space?.ContainingNamespace is { IsGlobalNamespace: false } outer)
        {
            space = outer;
        }

        return space?.Name == "System" && symbol!.Locations.All(static location => location.IsInMetadata);
    }

    /// <summary>Returns the identity of the pool in an expression; null if it cannot be distinguished from others.</summary>
    internal PoolIdentity? IdentityOf(IOperation? pool)
    {
        return WithoutConversions(pool) switch
        {
            IPropertyReferenceOperation { Property: { Name: "Shared", IsStatic: true } property } =>
                new PoolIdentity(property, property.ContainingType, isShared: true),
            IFieldReferenceOperation { Field: { IsReadOnly: true } field } when Fields.IsOwnPool(field) =>
                new PoolIdentity(field, field.Type, isShared: false),
            _ => null,
        };
    }

    /// <summary>Returns whether a value is null, or the default of its type.</summary>
    internal static bool IsNull(IOperation value) =>
        WithoutConversions(value) is { ConstantValue: { HasValue: true, Value: null } } or IDefaultValueOperation;

    internal static IOperation? WithoutConversions(IOperation? operation)
    {
        while (operation is IConversionOperation conversion)
        {
            operation = conversion.Operand;
        }

        return operation;
    }

    /// <summary>
    /// Returns whether an attribute has a name, wherever it is declared: libraries declare their own instead of a reference.
    /// </summary>
    private static bool HasAttribute(ImmutableArray<AttributeData> attributes, string name)
    {
        foreach (AttributeData attribute in attributes)
        {
            if (attribute.AttributeClass?.Name == name)
            {
                return true;
            }
        }

        return false;
    }

    private static bool IsArrayPool(ITypeSymbol type) => DerivesFrom(type, "ArrayPool");

    private bool IsHeap(ITypeSymbol type) =>
        HasTarn && type is { Name: "NativeHeap" } && Namespaces.HasTarns(type);

    private static bool IsMemoryOwner(ITypeSymbol type) =>
        IsOfBuffers(type, "IMemoryOwner") || type.AllInterfaces.Any(static candidate => IsOfBuffers(candidate, "IMemoryOwner"));

    private bool IsLease(ITypeSymbol type) => HasTarn && type is { Name: "BufferLease" } && Namespaces.HasTarns(type);

    /// <summary>Returns whether a type is an owner of memory that no collector frees.</summary>
    internal bool IsScarceOwner(ITypeSymbol type) =>
        HasTarn
        && ((type is { Name: "NativeBuffer" or "NativeScope" or "SharedRegion" or "SharedRing" } && Namespaces.HasTarns(type))
            || TarnOwners.IsInQueue(type));

    private static bool DerivesFrom(ITypeSymbol? type, string ancestor)
    {
        for (; type is not null; type = type.BaseType)
        {
            if (IsOfBuffers(type, ancestor))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Returns whether a type is the generic one with a name in the base library's namespace of pools.</summary>
    private static bool IsOfBuffers(ITypeSymbol type, string name) =>
        type is INamedTypeSymbol { Arity: 1 } && type.Name == name && Namespaces.Has("System.Buffers", type);
}

using System;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Known;

/// <content>Recognizes calls that rent and return.</content>
internal sealed partial class KnownSymbols
{
    /// <summary>Returns a call as a rent; null if it does not hand out a buffer.</summary>
    internal RentCall? AsRent(IInvocationOperation call)
    {
        IMethodSymbol method = call.TargetMethod;
        if (method.ReturnsVoid || !IsCandidate(method) || WithoutConversions(call.Instance) is IDefaultValueOperation)
        {
            // A null pool hands out nothing either: such a call only names generic code to compile.
            return null;
        }

        if (method.ReturnType is IArrayTypeSymbol && IsArrayPool(method.ContainingType) && method.Name is "Rent" or "RentExact")
        {
            return new RentCall(BufferKind.Array, IdentityOf(call.Instance), IsExact: !IsLoose(call), IsScarce: false)
            {
                Requested = RequestOf(call),
            };
        }

        if ((IsNamedForOwner(method) && IsMemoryOwner(method.ReturnType)) || NamedProducers.Contains(method))
        {
            return new RentCall(BufferKind.Owner, null, IsExact: !IsLoose(call), IsScarceOwner(method.ReturnType))
            {
                Requested = RequestOf(call),
                MayBeNull = NamedProducers.Contains(method) && MayBeNull(method.ReturnType),
            };
        }

        if (method.Name == "Lease" && IsLease(method.ReturnType))
        {
            return new RentCall(BufferKind.Owner, null, IsExact: true, IsScarce: false);
        }

        if (HasTarn && TarnOwners.IsRent(method))
        {
            return new RentCall(BufferKind.Owner, null, IsExact: true, IsScarceOwner(method.ReturnType))
            {
                IsInTask = IsTask(method.ReturnType),
                MayBeNull = MayBeNull(method.ReturnType),
                TakesFromReceiver = method.Name == "Detach",
            };
        }

        if (method.ReturnType.TypeKind == TypeKind.Pointer
            && IsHeap(method.ContainingType)
            && method.Name.StartsWith("Allocate", StringComparison.Ordinal))
        {
            return new RentCall(BufferKind.Block, IdentityOf(call.Instance), IsExact: true, IsScarce: true);
        }

        if (_options.IsRent(method) || IsDeclaredRented(method))
        {
            bool isInTask = IsTask(method.ReturnType) && method.ReturnType is INamedTypeSymbol { TypeArguments.Length: 1 };
            ITypeSymbol type = isInTask ? ((INamedTypeSymbol)method.ReturnType).TypeArguments[0] : method.ReturnType;
            BufferKind kind = type is IArrayTypeSymbol ? BufferKind.Array
                : type.TypeKind == TypeKind.Pointer ? BufferKind.Block : BufferKind.Owner;
            return new RentCall(kind, null, IsExact: true, IsScarce: kind == BufferKind.Block || IsScarceOwner(type))
            {
                IsInTask = isInTask,
                MayBeNull = MayBeNull(type),
            };
        }

        return AsNamedRent(call);
    }

    /// <summary>Returns whether a result may be null, as far as the type says anything about that.</summary>
    private static bool MayBeNull(ITypeSymbol result) => result.NullableAnnotation == NullableAnnotation.Annotated;

    /// <summary>Returns a call as a rent from a pool that is known by its name or its shape; null if it is neither.</summary>
    private RentCall? AsNamedRent(IInvocationOperation call)
    {
        IMethodSymbol method = call.TargetMethod;
        return NamedPools.IsArrayRent(method)
            ? new RentCall(BufferKind.Array, null, IsExact: false, IsScarce: false) { Requested = RequestOf(call) }
            : NamedPools.IsSlice(method)
            ? new RentCall(BufferKind.Owner, null, IsExact: true, IsScarce: false) { TakesFromReceiver = true }
            : NamedPools.IsOwnerRent(method)
            ? new RentCall(BufferKind.Owner, null, IsExact: true, IsScarce: false) { IsStream = NamedPools.IsStream(method.ReturnType) }
            : HasShapeOfRent(call)
            ? new RentCall(BufferKind.Array, null, IsExact: true, IsScarce: false)
            : null;
    }

    /// <summary>
    /// Returns whether calls of a method may rent, return or dispose a buffer of a pool, as far as the method alone shows.
    /// </summary>
    internal bool MayConcern(IMethodSymbol method) =>
        method.Name switch
        {
            "Rent" or "RentExact" or "Return" or "Lease" or "LeaseMemory" or "Free" or "Dispose" or "DisposeAsync" or "TakeBuffer"
                or "ReturnBuffer" or "GetStream" => true,
            "Slice" => NamedPools.IsSlice(method) || TarnOwners.IsRent(method),
            { } name when name.StartsWith("Allocate", StringComparison.Ordinal)
                || (name.StartsWith("Rent", StringComparison.Ordinal) && IsNamedForOwner(method)) => true,
            "Detach" or "DetachSlice" or "CreateScope" or "CreateFrame" or "TryLeaseMemory" or "LeaseMemoryAsync"
                when TarnOwners.IsRent(method) => true,
            "Commit" or "Pass" => TarnOwners.IsInQueue(method.ContainingType),
            "Reset" when HasTarn && TarnOwners.IsScope(method.ContainingType) => true,
            "TryBeginRead" or "TryBeginWrite" or "BeginRead" or "BeginWrite" =>
                TarnOwners.BeginsInQueue(method) || TarnOwners.IsRent(method),
            _ => MayGrow(method) || NamedProducers.Contains(method) || IsDeclaredRented(method)
                || _shapes.IsRent(method) || _shapes.IsReturn(method),
        };

    /// <summary>
    /// Returns whether calls of a method are worth a closer look. All that recognizes calls asks this first, so that no name that it knows
    /// can be missing in <see cref="MayConcern"/>, by which others skip calls.
    /// </summary>
    private bool IsCandidate(IMethodSymbol method) => _options.HasMethods || MayConcern(method);

    /// <summary>
    /// Returns whether the name of a method says that the caller owns the memory that it hands out. Methods of pools may name how, such as
    /// RentCleared.
    /// </summary>
    private static bool IsNamedForOwner(IMethodSymbol method) =>
        method.Name is "Rent" or "LeaseMemory" or "Allocate"
        || (method.Name.StartsWith("Rent", StringComparison.Ordinal)
            && method.ContainingType is { } type && type.Name.EndsWith("Pool", StringComparison.Ordinal));

    /// <summary>Returns whether only the shape of its type shows that a call rents.</summary>
    private bool HasShapeOfRent(IInvocationOperation call) =>
        _options.FollowsShapes && !IsArrayPool(call.TargetMethod.ContainingType) && _shapes.IsRent(call.TargetMethod);

    /// <summary>Returns whether only the shape of its type shows that a call returns its first argument.</summary>
    private bool HasShapeOfReturn(IInvocationOperation call) =>
        _options.FollowsShapes && !IsArrayPool(call.TargetMethod.ContainingType) && _shapes.IsReturn(call.TargetMethod);

    /// <summary>Returns whether only the shape of its type, or its name, shows that a call rents or returns.</summary>
    internal bool IsOnlyShaped(IInvocationOperation call) =>
        ((HasShapeOfRent(call) || NamedProducers.Contains(call.TargetMethod))
            && !_options.IsRent(call.TargetMethod) && !IsDeclaredRented(call.TargetMethod))
        || (HasShapeOfReturn(call) && !_options.IsReturn(call.TargetMethod));

    /// <summary>Returns whether a method is marked as handing out a buffer. Cached, because every call needs it.</summary>
    internal bool IsDeclaredRented(IMethodSymbol method) =>
        _hasRentedMark && _rented.GetOrAdd(
            method.OriginalDefinition,
            static candidate => HasAttribute(candidate.GetReturnTypeAttributes(), RentedMark));

    /// <summary>Returns the argument that a call returns to a pool; null if there is none.</summary>
    internal IArgumentOperation? AsReturn(IInvocationOperation call)
    {
        IMethodSymbol method = call.TargetMethod;
        if (!IsCandidate(method))
        {
            return null;
        }

        bool isReturn = (method.Name == "Return" && IsArrayPool(method.ContainingType))
            || (method.Name == "Free" && IsHeap(method.ContainingType))
            || _options.IsReturn(method)
            || NamedPools.IsArrayReturn(method)
            || HasShapeOfReturn(call);
        return isReturn ? call.Arguments.FirstOrDefault(static argument => argument.Parameter?.Ordinal == 0) : null;
    }

    /// <summary>
    /// Returns whether a call requests a length from a pool that may return more. A pool of the program's own may promise not to, unless it
    /// calls the length the least.
    /// </summary>
    private static bool IsLoose(IInvocationOperation call) =>
        call is { TargetMethod: { Name: "Rent", ContainingType: { } pool }, Arguments: { Length: 1 } arguments }
        && arguments[0].ArgumentKind == ArgumentKind.Explicit
        && (IsArrayPool(pool) || DerivesFrom(pool, "MemoryPool"))
        && (IsOfBaseLibrary(pool) || pool.ContainingNamespace.Name == "Tarn" || RequestsLeast(call.TargetMethod.OriginalDefinition));

    /// <summary>Returns whether an array pool is asked for the least length, and its source, if seen, does more than allocate it.</summary>
    private static bool RequestsLeast(IMethodSymbol rent) =>
        rent is { ReturnType: IArrayTypeSymbol, Parameters: { Length: 1 } parameters }
        && parameters[0].Name.StartsWith("min", StringComparison.Ordinal)
        && !rent.DeclaringSyntaxReferences.Any(reference => OnlyAllocates(reference.GetSyntax(), parameters[0].Name));

    private static bool OnlyAllocates(SyntaxNode method, string length) =>
        method.DescendantNodes()
            .Select(static node => node switch
            {
                ReturnStatementSyntax returned => returned.Expression,
                ArrowExpressionClauseSyntax arrow => arrow.Expression,
                _ => null,
            })
            .OfType<ExpressionSyntax>()
            .All(result => result is ArrayCreationExpressionSyntax { Type.RankSpecifiers: { Count: 1 } ranks }
                && ranks[0].Sizes.ToString() == length);

    private static int? RequestOf(IInvocationOperation call) =>
        call.Arguments.Length == 1 && call.Arguments[0].Value.ConstantValue is { HasValue: true, Value: int length } ? length : null;
}

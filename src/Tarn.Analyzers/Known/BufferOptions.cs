using System;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Tarn.Analyzers.Known;

/// <summary>Reads the options of .editorconfig: methods as Namespace.Type.Method, separated by semicolons or commas.</summary>
internal sealed class BufferOptions
{
    private static readonly SymbolDisplayFormat s_withoutTypeParameters =
        SymbolDisplayFormat.CSharpErrorMessageFormat.WithGenericsOptions(SymbolDisplayGenericsOptions.None);

    private readonly ImmutableHashSet<string> _rents;
    private readonly ImmutableHashSet<string> _returns;
    private readonly ImmutableHashSet<string> _transfers;
    private readonly ImmutableHashSet<string> _borrows;

    private BufferOptions()
    {
        _rents = _returns = _transfers = _borrows = ImmutableHashSet<string>.Empty;
    }

    internal BufferOptions(AnalyzerConfigOptions options)
    {
        _rents = Read(options, "tarn_rent_methods");
        _returns = Read(options, "tarn_return_methods");
        _transfers = Read(options, "tarn_ownership_transfer_methods");
        _borrows = Read(options, "tarn_borrow_methods");
        FollowsShapes = !(options.TryGetValue("tarn_pool_shapes", out string? shapes) && shapes.Trim() == "false");
    }

    internal static BufferOptions None { get; } = new();

    /// <summary>Gets a value indicating whether types with the shape of a pool count as pools.</summary>
    internal bool FollowsShapes { get; } = true;

    internal bool IsEmpty => _rents.IsEmpty && _returns.IsEmpty && _transfers.IsEmpty && _borrows.IsEmpty && FollowsShapes;

    /// <summary>Gets a value indicating whether they name methods that rent or return.</summary>
    internal bool HasMethods => !_rents.IsEmpty || !_returns.IsEmpty;

    internal bool IsRent(IMethodSymbol method) => Names(_rents, method);

    internal bool IsReturn(IMethodSymbol method) => Names(_returns, method);

    internal bool IsTransfer(ISymbol method) => Names(_transfers, method);

    internal bool IsBorrow(ISymbol method) => Names(_borrows, method);

    private static bool Names(ImmutableHashSet<string> names, ISymbol method) =>
        !names.IsEmpty
        && method.ContainingType is { } type
        && names.Contains(type.OriginalDefinition.ToDisplayString(s_withoutTypeParameters) + "." + method.Name);

    private static ImmutableHashSet<string> Read(AnalyzerConfigOptions options, string key) =>
        options.TryGetValue(key, out string? value)
            ? value.Split([';', ','], StringSplitOptions.RemoveEmptyEntries)
                .Select(static name => name.Trim())
                .Where(static name => name.Length > 0)
                .ToImmutableHashSet(StringComparer.Ordinal)
            : ImmutableHashSet<string>.Empty;
}

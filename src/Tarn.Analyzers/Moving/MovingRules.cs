using Microsoft.CodeAnalysis;
using Tarn.Analyzers.Rules;

namespace Tarn.Analyzers.Moving;

/// <summary>Defines the rules that move code to Tarn. They find no mistakes, so they are off until a project turns them on.</summary>
internal static class MovingRules
{
    private const string Category = "Moving";

    internal static readonly DiagnosticDescriptor Stream = new(
        "TARN101",
        "MemoryStream can be a PooledMemoryStream",
        "'{0}' can be a PooledMemoryStream, which takes its memory from a pool",
        Category,
        DiagnosticSeverity.Info,
        isEnabledByDefault: false,
        description: new RulePageText("TARN101"));

    internal static readonly DiagnosticDescriptor Lease = new(
        "TARN102",
        "Rented array can be a lease",
        "'{0}' can be a lease, which returns the buffer once on every path",
        Category,
        DiagnosticSeverity.Info,
        isEnabledByDefault: false,
        description: new RulePageText("TARN102"));

    internal static readonly DiagnosticDescriptor Pool = new(
        "TARN103",
        "ArrayPool.Shared can be BufferPool.Shared",
        "'{0}' can be 'BufferPool<{1}>.Shared'",
        Category,
        DiagnosticSeverity.Info,
        isEnabledByDefault: false,
        description: new RulePageText("TARN103"));
}

using Microsoft.CodeAnalysis;
using Tarn.Analyzers.Flow;

namespace Tarn.Analyzers.Rules;

/// <summary>The rules, as the compiler shows them.</summary>
internal static class BufferRules
{
    private const string Category = "Buffers";

    internal static DiagnosticDescriptor DoubleReturn { get; } = Create(
        1, "Buffer is returned twice", "'{0}' is returned a second time; it was returned in line {1}", DiagnosticSeverity.Warning);

    internal static DiagnosticDescriptor UseAfterReturn { get; } = Create(
        2, "Buffer is used after it was returned", "'{0}' is used after it was returned in line {1}", DiagnosticSeverity.Warning);

    internal static DiagnosticDescriptor Escape { get; } = Create(
        3, "Buffer escapes and is returned as well", "'{0}' leaves the method although it is returned to its pool", DiagnosticSeverity.Warning);

    internal static DiagnosticDescriptor PartOutlivesOwner { get; } = Create(
        4, "Memory outlives its owner", "Memory of '{0}' leaves the method although its owner is disposed", DiagnosticSeverity.Warning);

    internal static DiagnosticDescriptor ReturnedWhileInUse { get; } = Create(
        6, "Buffer is returned while a task uses it", "'{0}' is returned while a task that was not awaited uses it", DiagnosticSeverity.Warning);

    internal static DiagnosticDescriptor WrongPool { get; } = Create(
        8, "Buffer is returned to a pool that did not rent it", "'{0}' is returned to another pool than it was rented from", DiagnosticSeverity.Warning);

    /// <summary>The rule that a finding breaks; null for one that is not told.</summary>
    internal static DiagnosticDescriptor? Of(FindingKind kind) => kind switch
    {
        FindingKind.DoubleReturn => DoubleReturn,
        FindingKind.UseAfterReturn => UseAfterReturn,
        FindingKind.Escape => Escape,
        FindingKind.PartOutlivesOwner => PartOutlivesOwner,
        FindingKind.ReturnedWhileInUse => ReturnedWhileInUse,
        FindingKind.WrongPool or FindingKind.NotRented => WrongPool,
        _ => null,
    };

    private static DiagnosticDescriptor Create(int number, string title, string message, DiagnosticSeverity severity) =>
        new($"TARN{number:000}", title, message, Category, severity, isEnabledByDefault: true);
}

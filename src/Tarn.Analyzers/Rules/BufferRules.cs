using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Tarn.Analyzers.Flow;

namespace Tarn.Analyzers.Rules;

/// <summary>Defines the descriptors of the rules. Each has a page under docs/rules.</summary>
internal static class BufferRules
{
    private const string Category = "Buffers";

    internal static readonly DiagnosticDescriptor DoubleReturn = new(
        "TARN001",
        "Buffer is returned twice",
        "'{0}' is returned a second time; the first return is on line {1}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN001"));

    internal static readonly DiagnosticDescriptor DoubleReturnIfRentThrows = new(
        "TARN001",
        "Buffer is returned twice",
        "'{0}' is returned on line {1}, and a second time if the rent after that throws",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN001"));

    internal static readonly DiagnosticDescriptor LeftInCallersVariable = new(
        "TARN001",
        "Buffer is returned twice",
        "'{0}' is returned but may remain in the caller's variable, from which it can be returned a second time",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN001"));

    internal static readonly DiagnosticDescriptor LeftInCallersVariableIfRentThrows = new(
        "TARN001",
        "Buffer is returned twice",
        "'{0}' is returned but remains in the caller's variable, from which it can be returned again, if the rent after that throws",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN001"));

    internal static readonly DiagnosticDescriptor LeftForDispose = new(
        "TARN001",
        "Buffer is returned twice",
        "'{0}' is returned but remains in its field, from which Dispose returns it a second time",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN001"));

    internal static readonly DiagnosticDescriptor UseAfterReturn = new(
        "TARN002",
        "Buffer is used after it was returned",
        "'{0}' is used after it was returned on line {1}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN002"));

    internal static readonly DiagnosticDescriptor Escape = new(
        "TARN003",
        "Buffer escapes but is also returned",
        "'{0}' escapes from the method although it is returned to its pool",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN003"));

    internal static readonly DiagnosticDescriptor PartOutlivesOwner = new(
        "TARN003",
        "Buffer escapes but is also returned",
        "Memory of '{0}' escapes from the method although '{0}' is disposed",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN003"));

    internal static readonly DiagnosticDescriptor DisposeReturnsAgain = new(
        "TARN005",
        "A second call of Dispose returns the buffer again",
        "Dispose returns '{0}' without taking it out of the field first, so a second call of Dispose returns it again",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN005"));

    internal static readonly DiagnosticDescriptor DisposeReturnsStreamAgain = new(
        "TARN005",
        "A second call of Dispose returns the buffer again",
        "Dispose returns the array of '{0}', which the stream keeps, so a second call of Dispose returns it again",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN005"));

    internal static readonly DiagnosticDescriptor ReturnedWhileInUse = new(
        "TARN006",
        "Buffer is returned while a task uses it",
        "'{0}' is returned while a task, thread or timer that nothing waited for may still use it",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN006"));

    internal static readonly DiagnosticDescriptor Oversized = new(
        "TARN007",
        "Entire rented array is used",
        "'{0}' may be longer than the length requested on line {1}, and all of it is used here",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN007"));

    internal static readonly DiagnosticDescriptor WrongPool = new(
        "TARN008",
        "Buffer is returned to a pool that it was not rented from",
        "'{0}' is returned to a pool that it was not rented from",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN008"));

    internal static readonly DiagnosticDescriptor NotRentedOnSomePath = new(
        "TARN008",
        "Buffer is returned to a pool that it was not rented from",
        "'{0}' is returned to a pool, but on some path it holds an array that was not rented",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN008"));

    internal static readonly DiagnosticDescriptor ReferencesUncleared = new(
        "TARN009",
        "Returned array still holds references",
        "'{0}' is returned without being cleared, so the pool keeps the objects that it refers to alive",
        Category,
        DiagnosticSeverity.Info,
        isEnabledByDefault: true,
        description: new RulePageText("TARN009"));

    internal static readonly DiagnosticDescriptor NotReturned = new(
        "TARN011",
        "Buffer is not returned",
        "'{0}' is not {2} on {3}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN011"));

    internal static readonly DiagnosticDescriptor NeverReturned = new(
        "TARN011",
        "Buffer is not returned",
        "'{0}' is {2} on no path",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN011"));

    internal static readonly DiagnosticDescriptor NeverReturnedByType = new(
        "TARN011",
        "Buffer is not returned",
        "'{0}' keeps a rented buffer that no member of '{1}' {2}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN011"));

    internal static readonly DiagnosticDescriptor NotReturnedByDispose = new(
        "TARN011",
        "Buffer is not returned",
        "Dispose of '{1}' leaves the last rented buffer in '{0}', although '{1}' {2} those that are replaced",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN011"));

    internal static readonly DiagnosticDescriptor LastNeverReturned = new(
        "TARN011",
        "Buffer is not returned",
        "'{1}' {2} the rented buffers in '{0}' that it replaces, but never the last one",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN011"));

    internal static readonly DiagnosticDescriptor ReturnedInFinally = new(
        "TARN013",
        "Buffer is returned in a finally block while work may still write to it",
        "'{0}' is also returned when an exception ends the wait for work that may still write to it",
        Category,
        DiagnosticSeverity.Info,
        isEnabledByDefault: true,
        description: new RulePageText("TARN013"));

    internal static readonly DiagnosticDescriptor UnendedMessage = new(
        "TARN015",
        "Message is disposed without being ended",
        "'{0}' is never {1}; call {2} when its work is done",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        description: new RulePageText("TARN015"));

    /// <summary>Gets the rules that are checked on the paths of methods.</summary>
    internal static ImmutableArray<DiagnosticDescriptor> OfFlow { get; } = ImmutableArray.Create(
        DoubleReturn,
        DoubleReturnIfRentThrows,
        LeftInCallersVariable,
        LeftInCallersVariableIfRentThrows,
        UseAfterReturn,
        Escape,
        PartOutlivesOwner,
        ReturnedWhileInUse,
        Oversized,
        WrongPool,
        NotRentedOnSomePath,
        ReferencesUncleared,
        NotReturned,
        NeverReturned,
        ReturnedInFinally);

    /// <summary>Returns the rule that a finding breaks.</summary>
    internal static DiagnosticDescriptor Of(FindingKind kind) => kind switch
    {
        FindingKind.DoubleReturn => DoubleReturn,
        FindingKind.DoubleReturnIfRentThrows => DoubleReturnIfRentThrows,
        FindingKind.LeftInCallersVariable => LeftInCallersVariable,
        FindingKind.LeftInCallersVariableIfRentThrows => LeftInCallersVariableIfRentThrows,
        FindingKind.UseAfterReturn => UseAfterReturn,
        FindingKind.Escape => Escape,
        FindingKind.PartOutlivesOwner => PartOutlivesOwner,
        FindingKind.ReturnedWhileInUse => ReturnedWhileInUse,
        FindingKind.Oversized or FindingKind.OversizedLength => Oversized,
        FindingKind.WrongPool or FindingKind.NotRented => WrongPool,
        FindingKind.NotRentedOnSomePath => NotRentedOnSomePath,
        FindingKind.ReferencesUncleared => ReferencesUncleared,
        FindingKind.NeverReturned => NeverReturned,
        FindingKind.NotReturned or FindingKind.BuilderNotReturned or FindingKind.NotFreed => NotReturned,
        _ => ReturnedInFinally,
    };

    /// <summary>Returns the severity of a finding, which may differ from the default of its rule.</summary>
    internal static DiagnosticSeverity SeverityOf(Finding finding) =>
        SeverityOf(finding.Kind) is DiagnosticSeverity.Warning && finding.IsOfShape ? DiagnosticSeverity.Info : SeverityOf(finding.Kind);

    private static DiagnosticSeverity SeverityOf(FindingKind kind) => kind switch
    {
        FindingKind.OversizedLength or FindingKind.NotRentedOnSomePath or FindingKind.BuilderNotReturned => DiagnosticSeverity.Info,
        FindingKind.DoubleReturnIfRentThrows or FindingKind.LeftInCallersVariableIfRentThrows => DiagnosticSeverity.Info,
        _ => Of(kind).DefaultSeverity,
    };
}

namespace Tarn.Tests.Schedules.Checking;

/// <summary>One step of a modelled thread.</summary>
/// <param name="Kind">The kind of the step.</param>
/// <param name="Code">The source text it represents. Text in brackets represents no source.</param>
internal sealed record Step(StepKind Kind, string Code)
{
    /// <summary>The position of the source text, or null for a step without source.</summary>
    internal SourcePlace? Place { get; init; }

    internal StepOrder Order { get; init; }

    /// <summary>The location that a memory step reads or writes.</summary>
    internal Expression Address { get; init; } = 0;

    /// <summary>The value to write, compute, check or branch on. In an exchange it may depend on the value read.</summary>
    internal Expression Value { get; init; } = 0;

    /// <summary>The condition on the value read that must hold before the step can be done.</summary>
    internal Expression Until { get; init; } = 1;

    /// <summary>The register that gets the value read or computed; -1 for none.</summary>
    internal int Target { get; init; } = -1;

    /// <summary>The step that a branch goes to if its value is 0.</summary>
    internal int Next { get; init; }

    /// <summary>The queue in which the kernel notes a sleeper.</summary>
    internal int Queue { get; init; }

    internal bool IsMemory => Kind is not (StepKind.Compute or StepKind.Branch or StepKind.Check);

    /// <summary>Nothing passes it in either direction.</summary>
    internal bool IsFence => Kind is StepKind.Exchange or StepKind.SleepIfUnchanged or StepKind.FenceOther;

    /// <summary>The registers that it needs before it can be done; not the one it sets itself.</summary>
    internal uint Reads => (Address.Reads | Value.Reads | Until.Reads) & ~(IsMemory && Target >= 0 ? 1u << Target : 0);
}

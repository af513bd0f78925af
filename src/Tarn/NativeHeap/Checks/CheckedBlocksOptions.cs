namespace Tarn.Native;

/// <summary>What a checked heap needs to know about the heap it belongs to.</summary>
internal sealed record CheckedBlocksOptions
{
    /// <summary>The default of <see cref="GuardInterval"/>.</summary>
    internal const uint DefaultGuardInterval = 64;

    /// <summary>The heap's name in reports.</summary>
    internal required string Name { get; init; }

    /// <summary>The checks to make; <see cref="BufferChecks.FromEnvironment"/> is already resolved.</summary>
    internal required BufferChecks Checks { get; init; }

    /// <summary>The source of raw memory.</summary>
    internal required IBlockSource Source { get; init; }

    /// <summary>The operating system's memory, for guarded blocks.</summary>
    internal required VirtualMemory Memory { get; init; }

    /// <summary>The heap's budget. Its current limit bounds the quarantine, which reserves nothing from it.</summary>
    internal required MemoryBudget Budget { get; init; }

    /// <summary>The clock that ages the quarantine.</summary>
    internal required TrimClock Clock { get; init; }

    /// <summary>
    /// How long freed blocks stay in the quarantine; <see cref="TimeSpan.MaxValue"/> keeps them as long as there is room.
    /// </summary>
    internal required TimeSpan IdleTimeout { get; init; }

    /// <summary>With <see cref="BufferChecks.GuardPages"/>, one block in this many is guarded.</summary>
    internal uint GuardInterval { get; init; } = DefaultGuardInterval;
}

namespace Tarn;

/// <summary>What a checked heap needs to know of the heap it belongs to.</summary>
internal sealed record CheckedBlocksOptions
{
    /// <summary>What <see cref="GuardInterval"/> is where nobody says.</summary>
    internal const uint DefaultGuardInterval = 64;

    /// <summary>The heap's name in reports.</summary>
    internal required string Name { get; init; }

    /// <summary>What is verified; <see cref="BufferChecks.FromEnvironment"/> is resolved already.</summary>
    internal required BufferChecks Checks { get; init; }

    /// <summary>Where raw memory comes from.</summary>
    internal required IBlockSource Source { get; init; }

    /// <summary>The operating system's memory, for guarded blocks.</summary>
    internal required VirtualMemory Memory { get; init; }

    /// <summary>Its limit, as it is at the moment, bounds the quarantine; nothing is reserved of it.</summary>
    internal required MemoryBudget Budget { get; init; }

    /// <summary>The clock that ages the quarantine.</summary>
    internal required TrimClock Clock { get; init; }

    /// <summary>How long freed blocks stay in the quarantine; <see cref="TimeSpan.MaxValue"/> for as long as there is room.</summary>
    internal required TimeSpan IdleTimeout { get; init; }

    /// <summary>With <see cref="BufferChecks.GuardPages"/>, one in so many blocks is guarded.</summary>
    internal uint GuardInterval { get; init; } = DefaultGuardInterval;
}

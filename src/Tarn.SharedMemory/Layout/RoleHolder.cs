namespace Tarn.SharedMemory;

/// <summary>The holder of a role: a process, or one that has left; 0 if no process ever had it.</summary>
internal readonly record struct RoleHolder(ulong Value)
{
    /// <summary>Process ids are below 2³¹, so this bit of an identity is free.</summary>
    private const ulong LeftBit = 1UL << 63;

    /// <summary>This process, in the role.</summary>
    internal static RoleHolder Mine => new(ProcessIdentity.Self.Value);

    internal bool IsNobody => Value == 0;

    /// <summary>Whether the process left by disposing its ring, so that its last message is complete.</summary>
    internal bool HasLeft => (Value & LeftBit) != 0;

    internal ProcessIdentity Process => new(Value & ~LeftBit);

    internal RoleHolder WhenLeft => new(Value | LeftBit);
}

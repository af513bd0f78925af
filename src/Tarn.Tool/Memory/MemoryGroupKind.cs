namespace Tarn.Tool.Memory;

/// <summary>The parts of a process's memory.</summary>
internal enum MemoryGroupKind
{
    /// <summary>The heap of the garbage collector, with what it keeps for later and its own tables.</summary>
    GcHeap,

    /// <summary>What native code allocated with <c>malloc</c>, where the allocator is recognized.</summary>
    Native,

    /// <summary>Tarn's native heaps.</summary>
    Tarn,

    /// <summary>Compiled methods, and what the runtime keeps of types.</summary>
    Code,

    /// <summary>Stacks of threads.</summary>
    Stacks,

    /// <summary>Mapped files.</summary>
    Files,

    /// <summary>Memory that processes can share.</summary>
    Shared,

    /// <summary>Anonymous memory to which its owner gave a name.</summary>
    Named,

    /// <summary>What nothing names.</summary>
    Unnamed,
}

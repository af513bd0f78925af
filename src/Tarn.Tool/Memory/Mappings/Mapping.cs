namespace Tarn.Tool.Memory.Mappings;

/// <summary>A mapping of a process, as <c>/proc/PID/smaps</c> lists it. Sizes are bytes.</summary>
internal sealed record Mapping
{
    /// <summary>The address of its first byte.</summary>
    public required ulong Start { get; init; }

    /// <summary>The address behind its last byte.</summary>
    public required ulong End { get; init; }

    /// <summary>Such as <c>rw-p</c>.</summary>
    public required string Permissions { get; init; }

    /// <summary>The path of a file, a name in brackets, or nothing.</summary>
    public required string Name { get; init; }

    /// <summary>What is in memory.</summary>
    public long Resident { get; init; }

    /// <summary>What is in the swap space.</summary>
    public long Swapped { get; init; }

    /// <summary>What the kernel gave as transparent huge pages.</summary>
    public long HugePages { get; init; }

    /// <summary>The two-letter flags of the kernel, with a space around each.</summary>
    public string Flags { get; init; } = "";

    /// <summary>Its part of the address space.</summary>
    public ulong Size => End - Start;

    /// <summary>Whether it is of no file, has no name, and belongs to this process alone.</summary>
    public bool IsAnonymous => Name.Length == 0 && Permissions[3] == 'p';

    /// <summary>Whether nothing in it can be accessed: address space that is only reserved, or a guard.</summary>
    public bool IsReserved => Permissions.StartsWith("---", StringComparison.Ordinal);

    /// <summary>Whether its contents can be executed.</summary>
    public bool IsCode => Permissions[2] == 'x';

    /// <summary>Whether the kernel lists a flag, such as <c>nr</c>.</summary>
    public bool Has(string flag) => Flags.Contains($" {flag} ", StringComparison.Ordinal);
}

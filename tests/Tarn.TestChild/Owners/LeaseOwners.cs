using System.Buffers;

namespace Tarn.TestChild.Owners;

/// <summary>Owners of one pooled array.</summary>
internal static class LeaseOwners
{
    internal static RacedOwner[] All { get; } =
    [
        new("lease", static (memory, _) => Fill(memory.Pool.LeaseMemory(500)), Members()),
        new("lease of a budget", static (memory, _) => Fill(memory.Budget.LeaseMemory(memory.Pool, 500)), Members()),
        new("block of a memory pool", static (memory, _) => Fill(memory.Pool.AsMemoryPool().Rent(500)), MemberOfBlocks()),
    ];

    internal static OwnerMember[] Members() =>
    [
        .. MemberOfBlocks(),
        Of("Memory.Pin", static owner =>
        {
            Memory<byte> memory = owner.Memory;
            using MemoryHandle pin = memory.Pin();
            unsafe
            {
                OwnerMemory.Verify(new ReadOnlySpan<byte>(pin.Pointer, memory.Length));
            }
        }),
        Of("Memory.Span", static owner => _ = owner.Memory.Span.Length),
    ];

    private static OwnerMember[] MemberOfBlocks() =>
    [
        Of("Memory", static owner => _ = owner.Memory),
        Of("Dispose", static owner => owner.Dispose(), outlives: true),
    ];

    private static OwnerMember Of(string name, Action<IMemoryOwner<byte>> call, bool outlives = false) =>
        OwnerMember.Of<IMemoryOwner<byte>>(name, (owner, _) => call(owner), outlives);

    private static IMemoryOwner<byte> Fill(IMemoryOwner<byte> owner)
    {
        owner.Memory.Span.Fill(OwnerMemory.Own);
        return owner;
    }
}

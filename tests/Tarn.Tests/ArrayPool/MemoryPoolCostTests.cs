using System.Buffers;
using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>The bytes that a rent of a memory pool allocates once it is warm: its owner.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class MemoryPoolCostTests
{
    private const int OwnerBytes = 32;

    private readonly MemoryPool<byte> _memory = BufferPool<byte>.Create(
        new BufferPoolOptions { Checks = BufferChecks.None, IdleTimeout = Timeout.InfiniteTimeSpan, MaxRetainedBytes = 1 << 28 })
        .AsMemoryPool();

    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    [InlineData(500)]
    public void A_warm_rent_allocates_its_owner_alone(int inUse)
    {
        const int Rounds = 100;
        IMemoryOwner<byte>[] owners = new IMemoryOwner<byte>[inUse];
        Work();
        long before = GC.GetAllocatedBytesForCurrentThread();
        Work();
        Assert.Equal(Rounds * inUse * OwnerBytes, GC.GetAllocatedBytesForCurrentThread() - before);

        void Work()
        {
            for (int round = 0; round < Rounds; round++)
            {
                for (int i = 0; i < owners.Length; i++)
                {
                    owners[i] = _memory.Rent(4096);
                    owners[i].Memory.Span[0] = 1;
                }

                foreach (IMemoryOwner<byte> owner in owners)
                {
                    owner.Dispose();
                }
            }
        }
    }
}

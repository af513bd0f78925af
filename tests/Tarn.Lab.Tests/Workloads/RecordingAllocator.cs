using System.Runtime.InteropServices;
using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Tests.Workloads;

/// <summary>Real memory, and a record of every call: the sizes a workload requested, and whether it returned the blocks.</summary>
internal readonly unsafe struct RecordingAllocator(RecordingAllocator.Calls calls) : IReallocator
{
    public void* Allocate(nuint size)
    {
        void* block = NativeMemory.AllocZeroed(size);
        calls.Allocated((nint)block, size);
        return block;
    }

    public void Free(void* block, nuint size)
    {
        calls.Freed((nint)block, size);
        NativeMemory.Free(block);
    }

    public void* Reallocate(void* block, nuint oldSize, nuint newSize)
    {
        calls.Freed((nint)block, oldSize);
        void* moved = NativeMemory.Realloc(block, newSize);
        calls.Allocated((nint)moved, newSize);
        return moved;
    }

    internal sealed class Calls
    {
        private readonly Dictionary<nint, nuint> _live = [];

        /// <summary>Sizes in the order of the calls: as they are for an allocation, negative for a free.</summary>
        public List<long> Sizes { get; } = [];

        /// <summary>Blocks in the order of their frees, with their first four bytes at that time, if they have four.</summary>
        public List<(nint Block, int Held)> FreedBlocks { get; } = [];

        public List<nint> AllocatedBlocks { get; } = [];

        public int Live => _live.Count;

        public long MostLive { get; private set; }

        public void Allocated(nint block, nuint size)
        {
            lock (_live)
            {
                _live.Add(block, size);
                MostLive = Math.Max(MostLive, _live.Values.Sum(live => (long)live));
                Sizes.Add((long)size);
                AllocatedBlocks.Add(block);
            }
        }

        public void Freed(nint block, nuint size)
        {
            lock (_live)
            {
                Assert.True(_live.Remove(block, out nuint had), "a block was freed that is not live");
                Assert.Equal(had, size);
                Sizes.Add(-(long)size);
                FreedBlocks.Add((block, size >= sizeof(int) ? *(int*)block : 0));
            }
        }
    }
}

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Tarn.SharedMemory;

namespace Tarn.Lab.Workloads.Loops;

/// <summary>A block of bytes allocated and returned in a loop, each way in a method of its own.</summary>
/// <remarks>
/// Compiled twice, with optimization and without. Every loop writes the first byte of its block, and a field keeps a block that is not
/// returned, so a compiler that sees everything still cannot remove the allocation.
/// </remarks>
/// <param name="size">Bytes of the block.</param>
internal sealed unsafe class AllocationLoops(int size)
{
    /// <summary>Main threads have 8 MiB of stack, on Windows 1.5 MiB; the JIT clears and touches all requested bytes.</summary>
    public const int MostOnStack = 256 << 10;

    /// <summary>A region takes its memory from the system when it is created, and containers have little shared memory.</summary>
    public const int MostShared = 16 << 20;

    private const int ScratchStack = 1 << 10;
    private readonly string _regionName = $"tarn-lab-{Guid.NewGuid():N}";
    private byte[]? _kept;
    private int _sum;

    /// <summary>The loops for a block of this size. Each receives the number of iterations.</summary>
    public IReadOnlyList<(string Name, Action<int> Loop)> All =>
    [
        .. new (string Name, int Most, Action<int> Loop)[]
        {
            (AllocationNames.NewArray, int.MaxValue, NewArray),
            (AllocationNames.HGlobal, int.MaxValue, HGlobal),
            (AllocationNames.CoTaskMem, int.MaxValue, CoTaskMem),
            (AllocationNames.SharedRegion, MostShared, Region),
            (AllocationNames.Stack, MostOnStack, Stack),
            (AllocationNames.Pool, int.MaxValue, Pool),
            (AllocationNames.Lease, int.MaxValue, Lease),
            (AllocationNames.Heap, int.MaxValue, Heap),
            (AllocationNames.Scratch, int.MaxValue, Scratch),
        }.Where(way => size <= way.Most).Select(way => (way.Name, way.Loop)),
    ];

    private void NewArray(int iterations)
    {
        for (int i = 0; i < iterations; i++)
        {
            var array = new byte[size];
            array[0] = 1;
            _kept = array;
        }
    }

    private void HGlobal(int iterations)
    {
        for (int i = 0; i < iterations; i++)
        {
            nint block = Marshal.AllocHGlobal(size);
            *(byte*)block = 1;
            Marshal.FreeHGlobal(block);
        }
    }

    private void CoTaskMem(int iterations)
    {
        for (int i = 0; i < iterations; i++)
        {
            nint block = Marshal.AllocCoTaskMem(size);
            *(byte*)block = 1;
            Marshal.FreeCoTaskMem(block);
        }
    }

    private void Region(int iterations)
    {
        for (int i = 0; i < iterations; i++)
        {
            using var region = SharedRegion.Create(_regionName, size);
            *region.Pointer = 1;
        }
    }

    private void Stack(int iterations)
    {
        for (int i = 0; i < iterations; i++)
        {
            _sum += OnStack(size);
        }
    }

    private void Pool(int iterations)
    {
        for (int i = 0; i < iterations; i++)
        {
            byte[] array = BufferPool<byte>.Shared.Rent(size);
            array[0] = 1;
            BufferPool<byte>.Shared.Return(array);
        }
    }

    private void Lease(int iterations)
    {
        for (int i = 0; i < iterations; i++)
        {
            using BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(size);
            lease.Span[0] = 1;
        }
    }

    private void Heap(int iterations)
    {
        for (int i = 0; i < iterations; i++)
        {
            void* block = NativeHeap.Shared.Allocate((nuint)size);
            *(byte*)block = 1;
            NativeHeap.Shared.Free(block, (nuint)size);
        }
    }

    private void Scratch(int iterations)
    {
        Span<byte> stack = stackalloc byte[ScratchStack];
        for (int i = 0; i < iterations; i++)
        {
            using var scratch = new ScratchBuffer<byte>(stack, size);
            scratch.Span[0] = 1;
        }
    }

    /// <summary>A separate method, because stack memory is released when a method ends.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int OnStack(int size)
    {
        byte* block = stackalloc byte[size];
        *block = 1;
        return block[size - 1];
    }
}

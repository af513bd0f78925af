using System.Buffers;
using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics;

/// <summary>A random program that gets memory of one pool and one heap in every way there is, and gives all of it back.</summary>
internal sealed unsafe class EventPairProgram(int seed, BufferPool<byte> pool, NativeHeap heap) : IDisposable
{
    /// <summary>Some within a class of another, some above what slabs hold, some that need a move to grow.</summary>
    private static readonly int[] s_sizes = [0, 1, 100, 1000, 1020, 5000, 70_000, 260_000, 300_000, 310_000, 2_000_000, 5_000_000];

    private readonly Random _random = new(seed);
    private readonly List<Action> _ends = [];

    private int Size => Math.Max(0, s_sizes[_random.Next(s_sizes.Length)] + _random.Next(-8, 9));

    internal void Run(int steps)
    {
        for (int step = 0; step < steps; step++)
        {
            if (_random.Next(2) == 0 && _ends.Count > 0)
            {
                EndOne();
                continue;
            }

            try
            {
                _ends.Add(Begin());
            }
            catch (BufferBudgetExceededException)
            {
                EndOne();
            }
        }
    }

    public void Dispose()
    {
        while (_ends.Count > 0)
        {
            EndOne();
        }
    }

    private void EndOne()
    {
        int index = _random.Next(_ends.Count);
        Action end = _ends[index];
        _ends.RemoveAt(index);
        end();
    }

    private Action Begin() => _random.Next(4) == 0 ? BeginArray() : _random.Next(2) == 0 ? BeginBlock() : BeginOwner();

    private Action BeginArray()
    {
        int length = Size;
        switch (_random.Next(6))
        {
            case 0:
                byte[] exact = pool.RentExact(length);
                return () => pool.Return(exact);
            case 1:
                return pool.LeaseMemory(length).Dispose;
            case 2:
                return pool.AsMemoryPool().Rent(length).Dispose;
            case 3:
                return CountedBuffer<byte>.Rent(pool, length).Dispose;
            case 4:
                pool.Lease(length).Dispose();
                return static () => { };
            default:
                byte[] array = pool.Rent(length);
                bool clears = _random.Next(2) == 0;
                return () => pool.Return(array, clears);
        }
    }

    private Action BeginBlock()
    {
        nuint size = (nuint)Size;
        switch (_random.Next(5))
        {
            case 0:
                nuint alignment = (nuint)1 << _random.Next(15);
                nint aligned = (nint)heap.AllocateAligned(size, alignment);
                return Resized(ref aligned, ref size, alignment)
                    ? () => heap.FreeAligned((void*)aligned, size, alignment)
                    : () => heap.Free((void*)aligned);
            case 1:
                nuint whole = NativeHeap.GetBlockSize(size);
                nint used = (nint)heap.Allocate(whole);
                return () => heap.Free((void*)used, whole);
            case 2:
                long* typed = heap.Allocate<long>();
                return () => heap.Free<long>(typed);
            default:
                nint block = (nint)(_random.Next(2) == 0 ? heap.Allocate(size) : heap.AllocateZeroed(size));
                return Resized(ref block, ref size, alignment: 0)
                    ? () => heap.Free((void*)block, size)
                    : () => heap.Free((void*)block);
        }
    }

    /// <summary>Resizes a block some times, and decides whether its size is known to the one that frees it.</summary>
    private bool Resized(ref nint block, ref nuint size, nuint alignment)
    {
        try
        {
            for (int times = _random.Next(3); times > 0; times--)
            {
                nuint next = (nuint)Size;
                block = (nint)(alignment > 0 ? heap.ReallocateAligned((void*)block, size, next, alignment)
                    : _random.Next(2) == 0 ? heap.Reallocate((void*)block, size, next)
                    : heap.Reallocate((void*)block, next));
                size = next;
            }
        }
        catch (BufferBudgetExceededException)
        {
            // It keeps its size.
        }

        return _random.Next(2) == 0;
    }

    private Action BeginOwner()
    {
        int length = Size;
        switch (_random.Next(6))
        {
            case 0:
                return heap.AllocateBuffer<byte>(length, new() { Zeroed = _random.Next(2) == 0 }).Dispose;
            case 1:
                NativeBuffer<int> typed = heap.AllocateBuffer<int>(length / 4, new() { Alignment = 1 << _random.Next(13) });
                typed.TryResize(Size);
                return typed.Dispose;
            case 2:
                PooledWriter<byte> writer = new(heap);
                return EndAfter(writer, () => Array.ForEach(s_sizes[..9], size => writer.Write(new byte[size])));
            case 3:
                PooledWriter<byte> pooled = new(pool);
                return EndAfter(pooled, () => pooled.Write(new byte[length]));
            case 4:
                PooledMemoryStream stream = new(_random.Next(2) == 0
                    ? new PooledMemoryStreamOptions { Heap = heap }
                    : new PooledMemoryStreamOptions { Pool = pool });
                return EndAfter(stream, () => stream.Write(new byte[length]));
            default:
                NativeScope scope = heap.CreateScope();
                return EndAfter(scope, () => Use(scope));
        }
    }

    /// <summary>What a budget refuses, the owner has not got.</summary>
    private static Action EndAfter(IDisposable owner, Action use)
    {
        try
        {
            use();
        }
        catch (BufferBudgetExceededException)
        {
        }

        return owner.Dispose;
    }

    private void Use(NativeScope scope)
    {
        scope.Allocate((nuint)Size);
        using (NativeFrame frame = scope.CreateFrame())
        {
            scope.Allocate((nuint)Size);
            frame.Allocate<long>(Size / 8);
        }

        scope.Allocate((nuint)Size);
    }
}

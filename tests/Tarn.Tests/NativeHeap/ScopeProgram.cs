using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Tarn.Tests.NativeHeaps;

/// <summary>
/// A random program over every public member of several scopes of one heap, checked against a model that knows every allocation: where
/// it lies, how it is aligned and what was written to it.
/// </summary>
internal sealed unsafe class ScopeProgram : IDisposable
{
    private const long MostBytes = 4 << 20;

    private readonly Random _random;
    private readonly NativeHeap _heap;
    private readonly ModelScope[] _scopes;
    private int _stamp;

    internal ScopeProgram(int seed, BufferChecks checks)
    {
        _random = new Random(seed);
        _heap = new NativeHeap(new NativeHeapOptions { Checks = checks, MaxRetainedBytes = 64 << 20 });
        _scopes = [NewScope(), NewScope(), NewScope()];
    }

    internal void Run(int steps)
    {
        for (int step = 0; step < steps; step++)
        {
            int at = _random.Next(_scopes.Length);
            Step(ref _scopes[at]);
            if (_random.Next(4) == 0)
            {
                StepBack(_scopes[at], first: 0, depth: 0);
            }

            Assert.Equal(_scopes[at].Allocations.Sum(static one => one.Counted), _scopes[at].Scope.AllocatedBytes);
            if (step % 100 == 0)
            {
                Verify();
            }
        }

        Verify();
        foreach (ModelScope model in _scopes)
        {
            model.Scope.Dispose();
        }

        Assert.Equal((0, 0), (_heap.GetStatistics().InUseBlocks, _heap.GetStatistics().InUseBytes));
    }

    public void Dispose() => _heap.Dispose();

    private void Step(ref ModelScope model)
    {
        bool isFull = model.Scope.AllocatedBytes > MostBytes;
        switch (_random.Next(isFull ? 100 : 99))
        {
            case < 45:
                Add(model, Bytes(model.Scope, AnySize()), 16);
                break;
            case < 55:
                Add<byte>(model);
                break;
            case < 65:
                Add<long>(model);
                break;
            case < 72:
                Add<(byte, short, byte)>(model);
                break;
            case < 80:
                Add<Vector512<byte>>(model);
                break;
            case < 92:
                AddZeroed(model);
                break;
            case < 95:
                NativeScope scope = model.Scope;
                Assert.Throws<OutOfMemoryException>(() => { scope.Allocate(nuint.MaxValue - (nuint)_random.Next(100)); });
                break;
            case < 98:
                Verify(model);
                model.Scope.Reset();
                model.Truncate(0, 0);
                break;
            default:
                Verify(model);
                model.Scope.Dispose();
                model = NewScope();
                break;
        }
    }

    private ModelScope NewScope() => new(_heap.CreateScope(), [], []);

    /// <summary>Opens a frame that outlives this call, ends one, or opens a frame and does the same in it.</summary>
    /// <param name="model">The scope.</param>
    /// <param name="first">The first kept frame of the current one. An older one's end would end the current one.</param>
    /// <param name="depth">The number of frames that calls have open.</param>
    private void StepBack(ModelScope model, int first, int depth)
    {
        int index = _random.Next(first, Math.Max(first + 1, model.Frames.Count));
        switch (_random.Next(4))
        {
            case 0 when depth == 0:
                model.Frames.Add((model.Scope.OpenFrame(), model.Allocations.Count, model.Scope.AllocatedBytes));
                break;
            case 1 when index < model.Frames.Count:
                Verify(model);
                (FramePlace frame, int allocations, long before) = model.Frames[index];
                FramePlace[] ended = [.. model.Frames[index..].Select(static later => later.Frame)];
                model.Scope.Close(frame);
                model.Truncate(allocations, index);
                Array.ForEach(ended, model.Scope.Close);
                Assert.Equal(before, model.Scope.AllocatedBytes);
                break;
            case 2 when depth < 4:
                RunFrame(model, depth + 1);
                break;
        }
    }

    private void RunFrame(ModelScope model, int depth)
    {
        int allocations = model.Allocations.Count;
        int frames = model.Frames.Count;
        long before = model.Scope.AllocatedBytes;
        using (NativeFrame frame = model.Scope.CreateFrame())
        {
            for (int step = _random.Next(6); step >= 0; step--)
            {
                Add(model, MemoryMarshal.AsBytes(frame.Allocate<long>(AnySize() / sizeof(long))), 16);
                Add(model, MemoryMarshal.AsBytes(frame.AllocateZeroed<Vector512<byte>>(_random.Next(3))), 64);
                Add<byte>(model);
                StepBack(model, frames, depth);
            }

            Verify(model);
        }

        model.Truncate(allocations, frames);
        Assert.Equal(before, model.Scope.AllocatedBytes);
    }

    private int AnySize() => _random.Next(10) switch
    {
        0 => _random.Next(3),
        < 5 => _random.Next(1, 100),
        < 8 => _random.Next(1, 2000),
        < 9 => _random.Next(1, 70_000),
        _ => _random.Next(1, 400_000),
    };

    private static Span<byte> Bytes(NativeScope scope, int size) => new(scope.Allocate((nuint)size), size);

    private void Add<T>(ModelScope model)
        where T : unmanaged
    {
        int length = AnySize() / sizeof(T);
        Span<T> elements = model.Scope.Allocate<T>(length);
        Assert.Equal(length, elements.Length);
        Add(model, MemoryMarshal.AsBytes(elements), Math.Max(sizeof(T) == 64 ? 64 : 1, 16));
    }

    private void AddZeroed(ModelScope model)
    {
        Span<int> elements = model.Scope.AllocateZeroed<int>(AnySize() / sizeof(int));
        Assert.Equal(-1, elements.IndexOfAnyExcept(0));
        Add(model, MemoryMarshal.AsBytes(elements), 16);
    }

    private void Add(ModelScope model, Span<byte> bytes, int alignment)
    {
        nuint address = (nuint)Unsafe.AsPointer(ref MemoryMarshal.GetReference(bytes));
        Assert.Equal(0u, address % (nuint)alignment);
        byte stamp = (byte)++_stamp;
        bytes.Fill(stamp);

        // A type's alignment beyond 16 is met with extra bytes. Where each allocation is a block of its own, the heap aligns it.
        long before = model.Allocations.Sum(static one => one.Counted);
        long counted = model.Scope.AllocatedBytes - before;
        Assert.InRange(counted, RoundedUp(bytes.Length), RoundedUp(bytes.Length) + alignment - 16);
        model.Allocations.Add(new Allocation(address, bytes.Length, stamp, counted));
    }

    private static long RoundedUp(int size) => (Math.Max(size, 1) + 15L) / 16 * 16;

    /// <summary>Verifies that no two allocations of all scopes overlap, and that each keeps its contents.</summary>
    private void Verify()
    {
        nuint end = 0;
        foreach (Allocation one in _scopes.SelectMany(static model => model.Allocations).OrderBy(static one => one.Address))
        {
            Assert.True(one.Address >= end, "Two allocations overlap.");
            end = one.Address + (nuint)Math.Max(one.Size, 1);
        }

        foreach (ModelScope model in _scopes)
        {
            Verify(model);
        }
    }

    private static void Verify(ModelScope model)
    {
        foreach (Allocation one in model.Allocations)
        {
            Assert.Equal(-1, new Span<byte>((void*)one.Address, one.Size).IndexOfAnyExcept(one.Stamp));
        }
    }

    private readonly record struct ModelScope(
        NativeScope Scope, List<Allocation> Allocations, List<(FramePlace Frame, int Allocations, long Bytes)> Frames)
    {
        internal void Truncate(int allocations, int frames)
        {
            Allocations.RemoveRange(allocations, Allocations.Count - allocations);
            Frames.RemoveRange(frames, Frames.Count - frames);
        }
    }

    private readonly record struct Allocation(nuint Address, int Size, byte Stamp, long Counted);
}

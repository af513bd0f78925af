namespace Tarn.Tests.NativeHeaps;

/// <summary>A type with an end, in use on a heap.</summary>
/// <param name="Name">The name of the case.</param>
/// <param name="Checks">The checks of its heap.</param>
/// <param name="Create">Makes one on the heap. Returns what uses it and what disposes it.</param>
/// <param name="EndsHeap">Whether its end is the heap's.</param>
public sealed record LifetimeSubject(
    string Name, BufferChecks Checks, Func<NativeHeap, (Action Use, Action Dispose)> Create, bool EndsHeap = false)
{
    internal static unsafe LifetimeSubject[] All { get; } =
    [
        new("heap", BufferChecks.None, static heap => (() => heap.Free(heap.Allocate(64), 64), heap.Dispose), EndsHeap: true),
        new("heap with large buffers", BufferChecks.None, UseLarge, EndsHeap: true),
        new("checked heap", BufferChecks.All, static heap => (() => heap.Free(heap.Allocate(64), 64), heap.Dispose), EndsHeap: true),
        new("guarded heap", BufferChecks.All | BufferChecks.GuardPages, UseMany, EndsHeap: true),
        new("buffer", BufferChecks.None, UseBuffer),
        new("checked buffer", BufferChecks.Returns, UseBuffer),
        new("buffer pinned meanwhile", BufferChecks.None, PinBuffer),
        new("stream of a buffer", BufferChecks.None, UseStream),
        new("typed buffer", BufferChecks.None, UseTypedBuffer),
        new("checked typed buffer", BufferChecks.Returns, UseTypedBuffer),
        new("scope", BufferChecks.None, UseScope),
        new("checked scope", BufferChecks.Returns, UseScope),
        new("scope with an open frame", BufferChecks.None, UseScopeInFrame),
        new("scope with frames", BufferChecks.None, UseFrames),
    ];

    public override string ToString() => Name;

    private static unsafe (Action Use, Action Dispose) UseLarge(NativeHeap heap)
    {
        return (
            () =>
            {
                foreach (nuint size in (nuint[])[300_000, 1 << 20, 3 << 20])
                {
                    heap.Free(heap.Reallocate(heap.Allocate(size), size, 2 * size), 2 * size);
                }
            },
            heap.Dispose);
    }

    private static unsafe (Action Use, Action Dispose) UseMany(NativeHeap heap)
    {
        return (
            () =>
            {
                for (int i = 0; i < 130; i++)
                {
                    heap.Free(heap.Allocate(10), 10);
                }
            },
            heap.Dispose);
    }

    private static (Action Use, Action Dispose) UseBuffer(NativeHeap heap)
    {
        NativeBuffer<byte> buffer = heap.AllocateBuffer<byte>(1000);
        return (() => buffer.Memory.Span[999] = 1, ((IDisposable)buffer).Dispose);
    }

    private static (Action Use, Action Dispose) PinBuffer(NativeHeap heap)
    {
        NativeBuffer<byte> buffer = heap.AllocateBuffer<byte>(1000);
        return (() => buffer.Pin(5).Dispose(), ((IDisposable)buffer).Dispose);
    }

    private static (Action Use, Action Dispose) UseStream(NativeHeap heap)
    {
        NativeBuffer<byte> buffer = heap.AllocateBuffer<byte>(1000);
        Stream stream = buffer.AsStream();
        return (
            () =>
            {
                stream.Position = 0;
                stream.Write(new byte[1000]);
            },
            () =>
            {
                stream.Dispose();
                ((IDisposable)buffer).Dispose();
            }
        );
    }

    private static (Action Use, Action Dispose) UseTypedBuffer(NativeHeap heap)
    {
        NativeBuffer<long> buffer = heap.AllocateBuffer<long>(1000, new() { Alignment = 4096 });
        return (
            () =>
            {
                buffer.Memory.Span[9] = 1;
                buffer.TryResize(buffer.Length == 1000 ? 10 : 1000);
            },
            ((IDisposable)buffer).Dispose);
    }

    private static (Action Use, Action Dispose) UseScopeInFrame(NativeHeap heap)
    {
        NativeScope scope = heap.CreateScope();
        scope.Allocate<int>(10);
        return (
            () =>
            {
                using NativeFrame frame = scope.CreateFrame();
                scope.Allocate<int>(1000).Fill(1);
            },
            scope.Dispose);
    }

    private static (Action Use, Action Dispose) UseFrames(NativeHeap heap)
    {
        NativeScope scope = heap.CreateScope();
        return (
            () =>
            {
                using NativeFrame frame = scope.CreateFrame();
                frame.Allocate<int>(1000).Fill(1);
            },
            scope.Dispose);
    }

    private static unsafe (Action Use, Action Dispose) UseScope(NativeHeap heap)
    {
        NativeScope scope = heap.CreateScope();
        for (int i = 0; i < 50; i++)
        {
            scope.Allocate(300);
        }

        return (() => scope.Allocate<int>(10).Fill(1), scope.Dispose);
    }
}

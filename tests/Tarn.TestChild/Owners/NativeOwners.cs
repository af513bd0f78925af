using System.Buffers;

namespace Tarn.TestChild.Owners;

/// <summary>Native buffers, and heaps themselves.</summary>
internal static class NativeOwners
{
    internal static RacedOwner[] All { get; } =
    [
        new(
            "native buffer",
            static (memory, random) => Fill(memory.Heap.AllocateBuffer<byte>(random.Next(2) == 0 ? 1000 : 300_000)),
            Members()),
        new("native buffer, resized", static (memory, _) => Fill(memory.Heap.AllocateBuffer<byte>(1000)), ResizedMembers()),
        new("native heap", static (memory, _) => new NativeHeap(memory.HeapOptions), HeapMembers()),
    ];

    private static OwnerMember[] Members() =>
    [
        Of("Length", static buffer => _ = buffer.Length),
        Of("Pointer", static buffer => { unsafe { _ = buffer.Pointer; } }),
        Of("Memory", static buffer => _ = buffer.Memory),
        Of("Span", static buffer => _ = buffer.Span),
        Of("GetSpan of a part", static buffer => _ = buffer.GetSpan(3, 100)),
        Of("GetMemory of a part", static buffer => _ = buffer.GetMemory(3, 100)),
        Of("AsReadOnlySequence", static buffer => _ = buffer.AsReadOnlySequence()),
        Of("AsStream", static buffer => buffer.AsStream().Dispose()),
        Of("a stream's Read", static buffer =>
        {
            byte[] target = new byte[500];
            using Stream stream = buffer.AsStream();
            OwnerMemory.Verify(target.AsSpan(0, stream.Read(target)));
        }),
        Of("a stream's Write", static buffer => { using Stream stream = buffer.AsStream(); stream.Write(OwnerMemory.Bytes); }),
        Of("Pin", static buffer =>
        {
            using MemoryHandle pin = buffer.Pin();
            unsafe
            {
                OwnerMemory.Verify(new ReadOnlySpan<byte>(pin.Pointer, 1000));
                new Span<byte>(pin.Pointer, 1000).Fill(OwnerMemory.Own);
            }
        }),
        Of("Dispose", static buffer => ((IDisposable)buffer).Dispose(), outlives: true),
    ];

    private static OwnerMember[] ResizedMembers() =>
    [
        Of("Length", static buffer => _ = buffer.Length),
        Of("Pointer", static buffer => { unsafe { _ = buffer.Pointer; } }),
        Of("Memory", static buffer => _ = buffer.Memory),
        Of("Span", static buffer => _ = buffer.Span),
        Of("Pin", static buffer =>
        {
            using MemoryHandle pin = buffer.Pin();
            unsafe
            {
                OwnerMemory.Verify(new ReadOnlySpan<byte>(pin.Pointer, 500));
                new Span<byte>(pin.Pointer, 500).Fill(OwnerMemory.Own);
            }
        }),
        Of("a stream's Read", static buffer =>
        {
            byte[] target = new byte[500];
            using Stream stream = buffer.AsStream();
            OwnerMemory.Verify(target.AsSpan(0, stream.Read(target)));
        }),
        Of("TryResize", static buffer => { _ = buffer.TryResize(5000) && buffer.TryResize(300_000) && buffer.TryResize(500); }),
        Of("Dispose", static buffer => ((IDisposable)buffer).Dispose(), outlives: true),
    ];

    /// <summary>What a heap hands out is gone with it, so nothing here touches blocks.</summary>
    private static unsafe OwnerMember[] HeapMembers() =>
    [
        OfHeap("Allocate, Free", static heap => heap.Free(heap.Allocate(100), 100)),
        OfHeap("Allocate, Free by address", static heap => heap.Free(heap.Allocate(100))),
        OfHeap("Allocate, Free much", static heap => heap.Free(heap.Allocate(400_000), 400_000)),
        OfHeap("AllocateAligned", static heap => heap.FreeAligned(heap.AllocateAligned(100, 4096), 100, 4096)),
        OfHeap("many blocks", static heap =>
        {
            void*[] blocks = new void*[300];
            for (int i = 0; i < blocks.Length; i++)
            {
                blocks[i] = heap.Allocate(48);
            }

            foreach (void* block in blocks)
            {
                heap.Free(block, 48);
            }
        }),
        OfHeap("a block of a type", static heap => heap.Free<Guid>(heap.Allocate<Guid>())),
        OfHeap("AllocateBuffer", static heap => ((IDisposable)heap.AllocateBuffer<byte>(100)).Dispose()),
        OfHeap("CreateScope", static heap => heap.CreateScope().Dispose()),
        OfHeap("a writer", static heap => new PooledWriter<byte>(heap).Dispose()),
        OfHeap("GetStatistics", static heap => _ = heap.GetStatistics()),
        OfHeap("CountByClass", static heap => _ = heap.CountByClass()),
        OfHeap("Trim", static heap => heap.Trim()),
        OfHeap("Name", static heap => _ = heap.Name, outlives: true),
        OfHeap("Dispose", static heap => heap.Dispose(), outlives: true),
    ];

    private static OwnerMember Of(string name, Action<NativeBuffer<byte>> call, bool outlives = false) =>
        OwnerMember.Of<NativeBuffer<byte>>(name, (buffer, _) => call(buffer), outlives);

    private static OwnerMember OfHeap(string name, Action<NativeHeap> call, bool outlives = false) =>
        OwnerMember.Of<NativeHeap>(name, (heap, _) => call(heap), outlives);

    private static TBuffer Fill<TBuffer>(TBuffer buffer)
        where TBuffer : MemoryManager<byte>
    {
        buffer.GetSpan().Fill(OwnerMemory.Own);
        return buffer;
    }
}

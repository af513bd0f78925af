using System.Buffers.Binary;
using Tarn.Tool.Memory.Mappings;

namespace Tarn.Tool.Tests.Memory;

/// <summary>Heaps of malloc as bytes, whole and damaged.</summary>
public class HeapWalkTests
{
    private const ulong Heap = 0x7f00_0400_0000;
    private const int Head = 0x30;
    private const int Arena = 0x898;
    private const int Size = 0x21000;

    /// <summary>In use, free, in use, and what was not given out yet.</summary>
    private static readonly (int Size, bool IsUsed)[] s_blocks = [(0x1000, true), (0x2000, false), (0x40, true)];

    [Fact]
    public void The_blocks_in_use_of_a_heap_add_up()
    {
        byte[] heap = Build();

        Assert.Equal(0x1040, Walk(heap).InUseOfArena(Heap));
        var main = new HeapWalk((address, buffer) => Read(heap, address - 0x1000, buffer, First()));
        Assert.Equal(0x1040, main.InUseOfMain(0x1000, 0x1000 + (ulong)(Size - First())));
    }

    [Fact]
    public void A_damaged_heap_has_no_result_or_a_possible_one()
    {
        var random = new Random(7);
        for (int turn = 0; turn < 2_000; turn++)
        {
            byte[] heap = Build();
            for (int hit = 0; hit <= turn % 3; hit++)
            {
                heap[random.Next(turn % 2 == 0 ? First() + 0x80 : heap.Length)] = (byte)random.Next(256);
            }

            Assert.InRange(Walk(heap).InUseOfArena(Heap) ?? 0, 0, Size);
        }
    }

    [Fact]
    public void What_is_no_heap_has_no_result()
    {
        Assert.True(Walk(Build()).IsArena(Heap));
        Assert.False(Walk(new byte[Size]).IsArena(Heap) || Walk([.. Enumerable.Repeat((byte)1, Size)]).IsArena(Heap));
        Assert.Null(Walk(new byte[Size]).InUseOfArena(Heap));
        Assert.Null(new HeapWalk((_, _) => 0).InUseOfArena(Heap));
        Assert.Null(Walk([.. Enumerable.Repeat((byte)0x41, Size)]).InUseOfArena(Heap));
    }

    private static HeapWalk Walk(byte[] heap) => new((address, buffer) => Read(heap, address - Heap, buffer, 0));

    private static int Read(byte[] heap, ulong at, Memory<byte> buffer, int from)
    {
        if (at >= (ulong)(heap.Length - from))
        {
            return 0;
        }

        int length = Math.Min(buffer.Length, heap.Length - from - (int)at);
        heap.AsSpan(from + (int)at, length).CopyTo(buffer.Span);
        return length;
    }

    /// <summary>A block's contents, not its head, are aligned.</summary>
    private static int First() => (Head + Arena + 15) & ~15;

    private static byte[] Build()
    {
        byte[] heap = new byte[Size];
        Write(heap, 0, Heap + Head);
        Write(heap, 16, Size);
        int at = First();
        bool isUsed = true;
        foreach ((int size, bool used) in s_blocks)
        {
            Write(heap, at + 8, (ulong)(size | (isUsed ? 1 : 0) | 4));
            at += size;
            isUsed = used;
        }

        Write(heap, at + 8, (ulong)((Size - at) | (isUsed ? 1 : 0)));
        return heap;
    }

    private static void Write(byte[] heap, int at, ulong word) => BinaryPrimitives.WriteUInt64LittleEndian(heap.AsSpan(at), word);
}

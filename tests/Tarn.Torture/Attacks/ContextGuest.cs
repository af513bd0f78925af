using Tarn.Torture.Findings;

namespace Tarn.Torture.Attacks;

/// <summary>The work of a loaded assembly with the library: its own element types, on several threads.</summary>
internal static unsafe class ContextGuest
{
    private const int Threads = 3;
    private const int Rounds = 300;

    /// <summary>Uses all of it and gives it all back; returns how many operations it was.</summary>
    internal static long Use(int seed)
    {
        BufferPool<Item> own = BufferPool<Item>.Create();
        Thread[] threads = [.. Enumerable.Range(0, Threads).Select(i => new Thread(() => Work(new Random(seed + i), own)))];
        Array.ForEach(threads, static thread => thread.Start());
        Array.ForEach(threads, static thread => thread.Join());
        Work(new Random(seed - 1), own);
        BufferPool<Element>.Shared.Trim();
        BufferPool<Item>.Shared.Trim();
        own.Trim();
        return (Threads + 1) * Rounds;
    }

    private static void Work(Random random, BufferPool<Item> own)
    {
        Stack<Element[]> elements = [];
        using PooledMemoryStream stream = new();
        for (int i = 0; i < Rounds; i++)
        {
            Element[] array = BufferPool<Element>.Shared.Rent(random.Next(1, 1000));
            array[0] = new Element { First = i, Last = ~i };
            elements.Push(array);
            using (BufferLease<Item> lease = own.Lease(random.Next(1, 100)))
            {
                lease.Span[0] = new Item(i);
                Require.That(lease.Span[0].Number == i, "Someone wrote into a leased buffer.");
                lease.Span.Clear();
            }

            Item[] shared = BufferPool<Item>.Shared.Rent(10);
            BufferPool<Item>.Shared.Return(shared, clearArray: true);
            Element* block = NativeHeap.Shared.Allocate<Element>();
            *block = array[0];
            Require.Equal(~i, block->Last, "An element of a native block");
            NativeHeap.Shared.Free<Element>(block);
            stream.WriteByte((byte)i);
        }

        for (int i = Rounds - 1; elements.TryPop(out Element[]? array); i--)
        {
            Require.Equal((i, ~i), (array[0].First, array[0].Last), "An element of an array");
            BufferPool<Element>.Shared.Return(array);
        }
    }

    private struct Element
    {
        internal int First;
        internal int Last;
    }

    private sealed record Item(int Number);
}

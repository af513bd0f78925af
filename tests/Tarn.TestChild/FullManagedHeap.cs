using System.Runtime.CompilerServices;

namespace Tarn.TestChild;

/// <summary>Fills the collector's heap until nothing can be allocated. For a process with a hard limit on the heap.</summary>
internal static class FullManagedHeap
{
    private const int LargestFiller = 1 << 20;

    private static Filler? s_fillers;
    private static Link? s_links;

    /// <summary>Allocates until even the smallest object does not fit, except for <paramref name="slack"/> contiguous bytes.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Fill(int slack)
    {
        byte[]? left = slack > 0 ? new byte[slack] : null;
        for (int size = LargestFiller; size > 0; size /= 4)
        {
            while (TryAdd(size))
            {
            }
        }

        while (TryAddLink())
        {
        }

        GC.KeepAlive(left);
    }

    /// <summary>Releases the objects that fill the heap.</summary>
    internal static void Empty()
    {
        s_fillers = null;
        s_links = null;
        GC.Collect();
    }

    private static bool TryAdd(int size)
    {
        try
        {
            s_fillers = new Filler(new byte[size], s_fillers);
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }

    private static bool TryAddLink()
    {
        try
        {
            s_links = new Link(s_links);
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }

    private sealed class Filler(byte[] bytes, Filler? next)
    {
        internal byte[] Bytes { get; } = bytes;

        internal Filler? Next { get; } = next;
    }

    /// <summary>The smallest possible object.</summary>
    private sealed class Link(Link? next)
    {
        internal Link? Next { get; } = next;
    }
}

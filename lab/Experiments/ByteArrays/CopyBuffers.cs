namespace Tarn.Lab.Experiments.ByteArrays;

/// <summary>Two arrays to copy between, the same for every loop, because their addresses change the time by some percent.</summary>
internal static class CopyBuffers
{
    private static readonly Lock s_lock = new();
    private static byte[] s_source = [];
    private static byte[] s_destination = [];

    /// <summary>Returns both arrays. The source's bytes differ, and the memory of both has been touched.</summary>
    public static (byte[] Source, byte[] Destination) AtLeast(int size)
    {
        lock (s_lock)
        {
            if (s_source.Length < size)
            {
                s_source = GC.AllocateUninitializedArray<byte>(size, pinned: true);
                s_destination = GC.AllocateUninitializedArray<byte>(size, pinned: true);
                new Random(size).NextBytes(s_source);
                s_destination.AsSpan().Clear();
            }

            return (s_source, s_destination);
        }
    }

    /// <summary>Releases the arrays, so that the next experiment does not carry two gigabytes.</summary>
    public static void Release()
    {
        lock (s_lock)
        {
            s_source = [];
            s_destination = [];
        }
    }
}

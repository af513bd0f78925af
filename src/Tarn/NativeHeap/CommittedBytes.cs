namespace Tarn.Native;

/// <summary>The bytes a heap has committed, reported to the garbage collector if the options request it.</summary>
internal sealed class CommittedBytes(bool addPressure)
{
    private long _bytes;

    internal long Count => Volatile.Read(ref _bytes);

    internal void Add(long bytes)
    {
        Interlocked.Add(ref _bytes, bytes);
        if (addPressure && bytes > 0)
        {
            GC.AddMemoryPressure(bytes);
        }
    }

    internal void Remove(long bytes)
    {
        Interlocked.Add(ref _bytes, -bytes);
        if (addPressure && bytes > 0)
        {
            GC.RemoveMemoryPressure(bytes);
        }
    }
}

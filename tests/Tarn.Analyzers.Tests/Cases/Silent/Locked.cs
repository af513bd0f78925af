using System.Buffers;

/// <summary>A lock on a buffer: the compiler adds a variable without a name, and tests it.</summary>
internal sealed class Locked
{
    private readonly MemoryPool<byte> _pool = MemoryPool<byte>.Shared;

    internal byte First()
    {
        IMemoryOwner<byte> owner = _pool.Rent(10);
        byte first;
        lock (owner)
        {
            first = owner.Memory.Span[0];
        }

        owner.Dispose();
        return first;
    }

    internal byte FirstOfArray(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        byte first;
        lock (buffer)
        {
            first = buffer[0];
        }

        ArrayPool<byte>.Shared.Return(buffer);
        return first;
    }
}

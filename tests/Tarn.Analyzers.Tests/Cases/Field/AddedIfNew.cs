using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Generic;

/// <summary>A collection says whether it took the buffer; otherwise the code still has it.</summary>
internal sealed class AddedIfNew
{
    private readonly ConcurrentDictionary<int, IMemoryOwner<byte>> _owners = new();
    private readonly Dictionary<int, byte[]> _arrays = [];
    private readonly HashSet<byte[]> _set = [];
    private readonly List<byte[]> _list = [];

    internal void Owner(int key)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(key);
        if (!_owners.TryAdd(key, owner))
        {
            owner.Dispose();
        }
    }

    internal void Array(int key)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(key);
        if (_arrays.TryAdd(key, buffer))
        {
            return;
        }

        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal bool Element(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        bool isAdded = _set.Add(buffer);
        if (!isAdded)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }

        return isAdded;
    }

    internal static Dictionary<int, byte[]> InLocal(int length)
    {
        Dictionary<int, byte[]> arrays = [];
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        if (!arrays.TryAdd(length, buffer))
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }

        return arrays;
    }

    internal void AddedAndReturned(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        _list.Add(buffer); // expect TARN003
        ArrayPool<byte>.Shared.Return(buffer);
    }
}

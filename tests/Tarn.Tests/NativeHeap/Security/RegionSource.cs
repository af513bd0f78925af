using System.Runtime.InteropServices;

namespace Tarn.Tests.NativeHeaps.Security;

/// <summary>
/// Raw memory as a heap hands it out: equal blocks side by side in one region, with all records elsewhere, and the block freed last
/// handed out first, which is the hardest for whoever looks for stale pointers.
/// </summary>
internal sealed unsafe class RegionSource : IBlockSource, IDisposable
{
    private const nuint RegionSize = (nuint)2 << 30;

    /// <summary>Room for writes before the first block.</summary>
    private const nuint Lead = 2 << 20;

    private readonly Lock _lock = new();
    private readonly Dictionary<nuint, Stack<nuint>> _free = [];
    private readonly HashSet<nuint> _held = [];
    private readonly nint _region;
    private nuint _used = Lead;
    private bool _isReleased;

    internal RegionSource()
    {
        _region = VirtualMemory.Current.Reserve(RegionSize, BlockSizes.LargestAlignment);
        if (_region == 0 || !VirtualMemory.Current.Commit(_region, RegionSize))
        {
            throw new InvalidOperationException("The system has no room for the tests' region.");
        }
    }

    ~RegionSource() => Release();

    /// <summary>Blocks handed out and not taken back.</summary>
    internal int HeldCount
    {
        get
        {
            lock (_lock)
            {
                return _held.Count;
            }
        }
    }

    public void* Allocate(nuint size, bool zeroed)
    {
        nuint block;
        lock (_lock)
        {
            block = _free.TryGetValue(size, out Stack<nuint>? stack) && stack.TryPop(out nuint freed) ? freed : Carve(size);
            _held.Add(block);
        }

        if (zeroed)
        {
            NativeMemory.Clear((void*)block, size);
        }

        return (void*)block;
    }

    public void Free(void* block, nuint size)
    {
        lock (_lock)
        {
            if (!_held.Remove((nuint)block))
            {
                throw new InvalidOperationException("The source was given back what it had not handed out.");
            }

            CollectionsMarshal.GetValueRefOrAddDefault(_free, size, out _) ??= [];
            _free[size].Push((nuint)block);
        }
    }

    public void Dispose()
    {
        Release();
        GC.SuppressFinalize(this);
    }

    private nuint Carve(nuint size)
    {
        if (size > RegionSize - _used - Lead)
        {
            throw new OutOfMemoryException($"The region has no {size} bytes.");
        }

        nuint block = (nuint)_region + _used;
        _used += size;
        return block;
    }

    private void Release()
    {
        if (_region != 0 && !_isReleased)
        {
            _isReleased = true;
            VirtualMemory.Current.Release(_region, RegionSize);
        }
    }
}

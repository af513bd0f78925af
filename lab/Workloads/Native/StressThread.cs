using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// What one thread of mstress does in one round: it allocates, frees at random, exchanges blocks with the others, and leaves.
/// </summary>
internal unsafe ref struct StressThread<TAllocator>
    where TAllocator : struct, INativeAllocator
{
    private const int MoreRoom = 100_000;

    private readonly nint[] _transfer;
    private TAllocator _allocator;
    private MixGenerator _random;
    private ulong** _blocks;
    private nuint _room;
    private nuint _count;
    private ulong** _retained;
    private long _allocated;

    public StressThread(TAllocator allocator, nint[] transfer, ulong seed)
    {
        _allocator = allocator;
        _transfer = transfer;
        _random = new MixGenerator(seed);
    }

    /// <summary>Returns the number of blocks allocated.</summary>
    public long Run(int allocations)
    {
        int toRetain = allocations / 2;
        nuint retainedBytes = (nuint)Math.Max(1, toRetain) * (nuint)sizeof(ulong*);
        int retained = 0;
        _retained = (ulong**)_allocator.Allocate(retainedBytes);
        while (allocations > 0 || toRetain > 0)
        {
            if (toRetain == 0 || (_random.Chance(50) && allocations > 0))
            {
                allocations--;
                Add(Allocate(StressProgram.ShortLivedDoublings));
            }
            else
            {
                toRetain--;
                _retained[retained++] = Allocate(StressProgram.RetainedDoublings);
            }

            if (_random.Chance(66) && _count > 0)
            {
                FreeOne();
            }

            if (_random.Chance(25) && _count > 0)
            {
                ExchangeOne();
            }
        }

        for (int index = 0; index < retained; index++)
        {
            Free(ref _allocator, _retained[index]);
        }

        for (nuint index = 0; index < _count; index++)
        {
            Free(ref _allocator, _blocks[index]);
        }

        _allocator.Free(_retained, retainedBytes);
        if (_blocks is not null)
        {
            _allocator.Free(_blocks, _room * (nuint)sizeof(ulong*));
        }

        return _allocated;
    }

    /// <summary>Verifies a block and frees it; null is nothing.</summary>
    public static void Free(ref TAllocator allocator, ulong* words)
    {
        if (words is not null)
        {
            allocator.Free(words, CheckedWords.Verify(words) * sizeof(ulong));
        }
    }

    private ulong* Allocate(int doublings)
    {
        nuint words = StressProgram.DrawWords(ref _random, doublings);
        ulong* block = (ulong*)_allocator.Allocate(words * sizeof(ulong));
        CheckedWords.Write(block, words);
        _allocated++;
        return block;
    }

    private void Add(ulong* block)
    {
        if (_count == _room)
        {
            Grow();
        }

        _blocks[_count++] = block;
    }

    private void Grow()
    {
        nuint room = _room + MoreRoom;
        ulong** larger = (ulong**)_allocator.Allocate(room * (nuint)sizeof(ulong*));
        if (_blocks is not null)
        {
            new ReadOnlySpan<nint>(_blocks, (int)_count).CopyTo(new Span<nint>(larger, (int)_count));
            _allocator.Free(_blocks, _room * (nuint)sizeof(ulong*));
        }

        _blocks = larger;
        _room = room;
    }

    private void FreeOne()
    {
        nuint index = (nuint)_random.Next() % _count;
        Free(ref _allocator, _blocks[index]);
        _blocks[index] = null;
    }

    private void ExchangeOne()
    {
        nuint index = (nuint)_random.Next() % _count;
        ref nint place = ref _transfer[_random.Next() % (ulong)_transfer.Length];
        _blocks[index] = (ulong*)Interlocked.Exchange(ref place, (nint)_blocks[index]);
    }
}

using System.Buffers.Binary;

namespace Tarn.Tool.Memory.Mappings;

/// <summary>
/// Counts what is in use in a heap of glibc, by the sizes that it writes before each of its blocks. The process goes on meanwhile, so a
/// heap whose blocks change may have no result.
/// </summary>
/// <remarks>
/// The word before a block has its size, and says in its lowest bit whether the block before is in use. A heap of an arena begins with the
/// address of its arena, of the heap before, and its size; the first of them has the arena itself next. Blocks that a thread keeps for
/// itself (<c>tcache</c>) count as in use.
/// </remarks>
/// <param name="read">Reads memory of the process from an address on, and returns how many bytes it could.</param>
internal sealed class HeapWalk(Func<ulong, Memory<byte>, int> read)
{
    private const int Word = 8;
    private const ulong Flags = 7;
    private const ulong LeastBlock = 16;
    private const ulong Unit = 16;
    private const ulong LargestHead = 0x80;
    private const int Buffered = 64 << 10;

    /// <summary>Where the first block behind an arena may be; its size depends on the version.</summary>
    private const ulong LeastArena = 0x800;
    private const ulong LargestArena = 0xA00;

    private readonly byte[] _buffer = new byte[Buffered];
    private ulong _bufferedFrom = ulong.MaxValue;
    private int _buffered;

    /// <summary>The bytes in use of the main heap; null if that cannot be told.</summary>
    public long? InUseOfMain(ulong start, ulong end) => Walk((start + Unit - 1) & ~(Unit - 1), end);

    /// <summary>Whether what lies at an address begins as a heap of an arena does.</summary>
    public bool IsArena(ulong heap) => TryReadHead(heap, out _, out _);

    /// <summary>The bytes in use of a heap of an arena; null if that cannot be told, or it is none.</summary>
    public long? InUseOfArena(ulong heap)
    {
        if (!TryReadHead(heap, out ulong arena, out ulong size))
        {
            return null;
        }

        ulong head = arena % MappingKinds.ArenaHeap;
        if (arena - head != heap)
        {
            return Walk(heap + head, heap + size);
        }

        for (ulong first = LeastArena; first < LargestArena; first += Unit)
        {
            if (Walk(heap + head + first, heap + size) is { } inUse)
            {
                return inUse;
            }
        }

        return null;
    }

    private bool TryReadHead(ulong heap, out ulong arena, out ulong size)
    {
        _bufferedFrom = ulong.MaxValue;
        size = 0;
        return TryRead(heap, out arena) && TryRead(heap + Word, out ulong before) && TryRead(heap + (2 * Word), out size)
            && arena % MappingKinds.ArenaHeap is > 0 and <= LargestHead && before % MappingKinds.ArenaHeap == 0
            && size is > 0 and <= MappingKinds.ArenaHeap;
    }

    private long? Walk(ulong block, ulong end)
    {
        long inUse = 0;
        ulong last = 0;
        while (block + Word + Word <= end)
        {
            if (!TryRead(block + Word, out ulong word))
            {
                return null;
            }

            // What the last block says of itself counts only when the next one agrees that it is in use.
            inUse += (word & 1) == 0 ? 0 : (long)last;
            last = word & ~Flags;
            if (last == 0 && end - block <= 2 * Unit)
            {
                // The fence at the end of a heap that has a later one behind it.
                return inUse;
            }

            if (last < LeastBlock || last % Unit != 0 || last > end - block)
            {
                return null;
            }

            block += last;
        }

        // The last one is what the heap has not given out yet.
        return block == end ? inUse : null;
    }

    private bool TryRead(ulong address, out ulong word)
    {
        if (_bufferedFrom > address || address - _bufferedFrom + Word > (ulong)_buffered)
        {
            _bufferedFrom = address;
            _buffered = read(address, _buffer);
            if (_buffered < Word)
            {
                _bufferedFrom = ulong.MaxValue;
                word = 0;
                return false;
            }
        }

        word = BinaryPrimitives.ReadUInt64LittleEndian(_buffer.AsSpan((int)(address - _bufferedFrom)));
        return true;
    }
}

// dotnet/dotNext, commit b56834a15 "Fixed length of cached metadata table" (Partition.PopulateCache of the Raft log).
// The loop that fills the cache from the file ran over all the rented memory instead of over the entries asked for,
// and read past the table of the file. The fix slices the memory to the capacity.
using System;
using System.Buffers;
using System.IO;
using System.Runtime.InteropServices;

internal sealed class LogPartition : IDisposable
{
    private readonly Stream _file;
    private readonly int _capacity;
    private readonly IMemoryOwner<long> _cache;

    internal LogPartition(Stream file, int capacity)
    {
        _file = file;
        _capacity = capacity;
        _cache = MemoryPool<long>.Shared.Rent(capacity);
    }

    internal void PopulateCache(Span<byte> buffer)
    {
        Span<long> cache = _cache.Memory.Span.Slice(0, _capacity);
        int entrySize = sizeof(long);
        int perRead = buffer.Length / entrySize;
        for (int index = 0; index < cache.Length; index += perRead)
        {
            int count = Math.Min(perRead, cache.Length - index);
            Span<byte> source = buffer.Slice(0, count * entrySize);
            if (_file.Read(source) < source.Length)
            {
                throw new EndOfStreamException();
            }

            source.CopyTo(MemoryMarshal.AsBytes(cache.Slice(index, count)));
        }
    }

    internal ReadOnlySpan<long> Entries => _cache.Memory.Span.Slice(0, _capacity);

    public void Dispose()
    {
        _cache.Dispose();
        _file.Dispose();
    }
}

// dotnet/dotNext, commit 968c15db8 "Fixed scope of rented memory" (PersistentState.ReadAsync of the Raft log).
// The reader was started on a slice of a rented list, and its task was awaited only after the using of the list had
// ended: the reader went on with memory of the pool. The fix awaits inside the using.
using System;
using System.Buffers;
using System.Threading;
using System.Threading.Tasks;

internal interface IEntryReader<TResult>
{
    ValueTask<TResult> ReadAsync(ReadOnlyMemory<long> entries, long? snapshotIndex, CancellationToken token);
}

internal sealed class EntryLog
{
    private readonly MemoryPool<long> _entryPool = MemoryPool<long>.Shared;
    private readonly long _snapshot;
    private readonly long _partitions;

    internal EntryLog(long snapshot, long partitions)
    {
        _snapshot = snapshot;
        _partitions = partitions;
    }

    internal async ValueTask<TResult> ReadAsync<TResult>(IEntryReader<TResult> reader, long startIndex, long endIndex, CancellationToken token)
    {
        if (startIndex > endIndex)
        {
            throw new ArgumentOutOfRangeException(nameof(endIndex));
        }

        ValueTask<TResult> result;
        if (_partitions > 0)
        {
            using (IMemoryOwner<long> list = _entryPool.Rent((int)(endIndex - startIndex + 1)))
            {
                int count = 0;
                for (; startIndex <= endIndex; startIndex++)
                {
                    if (startIndex >= _partitions)
                    {
                        break;
                    }

                    long entry = await FindAsync(startIndex, token).ConfigureAwait(false);
                    list.Memory.Span[count++] = entry;
                }

                return await reader.ReadAsync(list.Memory.Slice(0, count), list.Memory.Span[0], token).ConfigureAwait(false);
            }
        }
        else if (_snapshot > 0)
        {
            result = reader.ReadAsync(new[] { _snapshot }, _snapshot, token);
        }
        else
        {
            result = reader.ReadAsync(Array.Empty<long>(), null, token);
        }

        return await result.ConfigureAwait(false);
    }

    private static ValueTask<long> FindAsync(long index, CancellationToken token) =>
        token.IsCancellationRequested ? ValueTask.FromCanceled<long>(token) : new ValueTask<long>(index);
}

// dotnet/dotNext (sakno/dotNext), commit 968c15db8: the task that reads the entries was awaited after the using block, when the list
// it reads from was disposed already. The fix awaits it inside the block.
using System;
using System.Buffers;
using System.Threading;
using System.Threading.Tasks;

internal sealed class PersistentState(MemoryPool<LogEntry> pool, Partition[] partitions, LogEntry first)
{
    public async ValueTask<TResult> ReadAsync<TResult>(IEntryReader<TResult> reader, long startIndex, long endIndex, CancellationToken token)
    {
        var length = endIndex - startIndex + 1L;
        if (length > int.MaxValue)
        {
            throw new ArgumentOutOfRangeException(nameof(endIndex));
        }

        LogEntry entry;
        ValueTask<TResult> result;
        if (partitions.Length > 0)
        {
            using (IMemoryOwner<LogEntry> list = pool.Rent((int)length))
            {
                var listIndex = 0;
                for (; startIndex <= endIndex; list.Memory.Span[listIndex++] = entry, startIndex++)
                {
                    if (startIndex == 0L)
                    {
                        entry = first;
                    }
                    else if (startIndex < partitions.Length)
                    {
                        entry = await partitions[startIndex].ReadAsync(startIndex, token).ConfigureAwait(false);
                    }
                    else
                    {
                        break;
                    }
                }

                return await reader.ReadAsync(list.Memory.Slice(0, listIndex), token).ConfigureAwait(false);
            }
        }
        else
        {
            result = reader.ReadAsync(ReadOnlyMemory<LogEntry>.Empty, token);
        }

        return await result.ConfigureAwait(false);
    }
}

internal readonly record struct LogEntry(long Term);

internal interface IEntryReader<TResult>
{
    ValueTask<TResult> ReadAsync(ReadOnlyMemory<LogEntry> entries, CancellationToken token);
}

internal sealed class Partition
{
    public ValueTask<LogEntry> ReadAsync(long index, CancellationToken token) => new(new LogEntry(index));
}

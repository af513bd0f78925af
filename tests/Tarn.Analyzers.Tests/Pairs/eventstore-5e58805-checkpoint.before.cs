// EventStore/EventStore, commit 5e588050: of the array for a checkpoint only a span was kept, so it could not be returned.
// The fix has the eight bytes on the stack.
using System;
using System.Buffers;
using System.Buffers.Binary;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

internal sealed class ArchiveReader(string path, string checkpointFile)
{
    public ValueTask<long> GetCheckpoint(CancellationToken token)
    {
        try
        {
            var buffer = ArrayPool<byte>.Shared.Rent(8).AsSpan(0, 8); // expect TARN011

            var checkpointPath = Path.Combine(path, checkpointFile);
            using var file = File.OpenRead(checkpointPath);
            file.ReadExactly(buffer);

            var checkpoint = BinaryPrimitives.ReadInt64LittleEndian(buffer);
            return ValueTask.FromResult(checkpoint);
        }
        catch (FileNotFoundException)
        {
            return ValueTask.FromResult(0L);
        }
    }
}

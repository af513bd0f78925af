using System.Buffers;
using System.IO.Pipelines;

namespace Tarn.Integrations.Tests.Recipes;

public sealed class PipeRecipes
{
    [Fact]
    public async Task A_pipe_moves_bytes_through_blocks_that_grow()
    {
        #region PipeOptions
        MemoryPool<byte> blocks = BufferPool<byte>.Shared.AsMemoryPool(minLength: 4 << 10, maxLength: 32 << 10, doubling: true);
        Pipe pipe = new(new PipeOptions(blocks, minimumSegmentSize: 4 << 10));
        #endregion

        byte[] sent = new byte[500_000];
        Random.Shared.NextBytes(sent);
        Task writing = Task.Run(async () =>
        {
            await pipe.Writer.WriteAsync(sent);
            await pipe.Writer.CompleteAsync();
        });
        int longest = 0;
        ArrayBufferWriter<byte> received = new();
        while (true)
        {
            ReadResult read = await pipe.Reader.ReadAsync();
            foreach (ReadOnlyMemory<byte> part in read.Buffer)
            {
                longest = Math.Max(longest, part.Length);
                received.Write(part.Span);
            }

            pipe.Reader.AdvanceTo(read.Buffer.End);
            if (read.IsCompleted)
            {
                break;
            }
        }

        await pipe.Reader.CompleteAsync();
        await writing;
        Assert.True(received.WrittenSpan.SequenceEqual(sent));
        Assert.Equal(32 << 10, longest);
    }

    [Fact]
    public async Task Readers_and_writers_of_streams_take_their_blocks_from_the_pool()
    {
        byte[] sent = new byte[100_000];
        Random.Shared.NextBytes(sent);
        using MemoryStream source = new(sent);
        using MemoryStream target = new();

        #region StreamPipeReaderOptions
        MemoryPool<byte> blocks = BufferPool<byte>.Shared.AsMemoryPool();
        PipeReader reader = PipeReader.Create(
            source, new StreamPipeReaderOptions(blocks, bufferSize: 16 << 10, minimumReadSize: 4 << 10, leaveOpen: true));
        PipeWriter writer = PipeWriter.Create(
            target, new StreamPipeWriterOptions(blocks, minimumBufferSize: 16 << 10, leaveOpen: true));
        await reader.CopyToAsync(writer);
        #endregion

        await reader.CompleteAsync();
        await writer.CompleteAsync();
        Assert.Equal(sent, target.ToArray());
    }
}

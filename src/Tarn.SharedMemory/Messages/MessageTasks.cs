using System.Numerics;
using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory;

/// <summary>Reads and writes that hold no thread, for everything that has messages.</summary>
internal static class MessageTasks
{
    /// <summary>The length of the first buffer of <see cref="ReadAllAsync"/>, in bytes.</summary>
    private const int FirstBuffer = 256;

    /// <summary>Writes a message as soon as there is room, which another writer may take first.</summary>
    internal static ValueTask WriteAsync(IMessageWriter writer, ReadOnlyMemory<byte> message, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        return writer.TryWrite(message.Span) ? default : WriteSlowAsync(writer, message, cancellationToken);
    }

    /// <summary>Reads a message as soon as there is one, which another reader may take first.</summary>
    internal static ValueTask<int> ReadAsync(IMessageReader reader, Memory<byte> destination, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<int>(cancellationToken);
        }

        return reader.TryRead(destination.Span, out int length)
            ? new ValueTask<int>(length)
            : ReadSlowAsync(reader, destination, cancellationToken);
    }

    /// <summary>Reads messages as they come, each in the same buffer, which grows to the longest of them.</summary>
    internal static async IAsyncEnumerable<ReadOnlyMemory<byte>> ReadAllAsync(
        IMessageReader reader, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        byte[] buffer = [];
        while (true)
        {
            await reader.WaitToReadAsync(cancellationToken).ConfigureAwait(false);
            if (reader.TryRead(ref buffer, out int length))
            {
                yield return buffer.AsMemory(0, length);
            }
        }
    }

    /// <summary>Makes a buffer long enough.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory.</exception>
    internal static void Grow(ref byte[] buffer, int length)
    {
        if (buffer.Length < length || buffer.Length == 0)
        {
            buffer = GC.AllocateUninitializedArray<byte>(Math.Max(FirstBuffer, (int)BitOperations.RoundUpToPowerOf2((uint)length)));
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private static async ValueTask WriteSlowAsync(
        IMessageWriter writer, ReadOnlyMemory<byte> message, CancellationToken cancellationToken)
    {
        do
        {
            await writer.WaitToWriteAsync(message.Length, cancellationToken).ConfigureAwait(false);
        }
        while (!writer.TryWrite(message.Span));
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private static async ValueTask<int> ReadSlowAsync(
        IMessageReader reader, Memory<byte> destination, CancellationToken cancellationToken)
    {
        int length;
        do
        {
            await reader.WaitToReadAsync(cancellationToken).ConfigureAwait(false);
        }
        while (!reader.TryRead(destination.Span, out length));

        return length;
    }
}

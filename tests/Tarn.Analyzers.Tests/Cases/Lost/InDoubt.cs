using System;
using System.Buffers;
using System.IO;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;

internal static class InDoubt
{
    internal static async Task<int> Finally(Stream stream, int length, CancellationToken cancellationToken)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            return await stream.ReadAsync(buffer.AsMemory(0, length), cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static async Task<int> OnSuccessByFlag(Stream stream, int length, CancellationToken cancellationToken)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        bool isDone = false;
        try
        {
            int read = await stream.ReadAsync(buffer, 0, length).WaitAsync(cancellationToken).ConfigureAwait(false);
            isDone = true;
            return read;
        }
        finally
        {
            if (isDone)
            {
                ArrayPool<byte>.Shared.Return(buffer);
            }
        }
    }

    internal static async Task<int> Left(Stream stream, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            return await stream.ReadAsync(buffer, 0, length).WaitAsync(TimeSpan.FromSeconds(1)).ConfigureAwait(false);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer); // expect TARN013
        }
    }

    internal static async Task OtherWork(Stream stream, int length, CancellationToken cancellationToken)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            buffer[0] = 1;
            await stream.FlushAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static async Task<int> AbandonedWhenCancelled(Stream stream, int length, CancellationToken cancellationToken)
    {
        byte[]? buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            return await stream.ReadAsync(buffer, 0, length).WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            buffer = null;
            throw;
        }
        finally
        {
            if (buffer is not null)
            {
                ArrayPool<byte>.Shared.Return(buffer);
            }
        }
    }

    internal static async Task<int> ToldWhenCancelled(Stream stream, int length, CancellationToken cancellationToken)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            return await stream.ReadAsync(buffer, 0, length).WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            return -1;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer); // expect TARN013
        }
    }
}

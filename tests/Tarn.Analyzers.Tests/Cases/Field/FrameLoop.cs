using System;
using System.Buffers;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

/// <summary>A loop that reads frames into a part of a rented array: only wrong bounds could lose the array before the try block.</summary>
internal static class FrameLoop
{
    internal static async Task RunAsync(Stream stream, Action<Exception> onError, CancellationToken token)
    {
        try
        {
            byte[] header = ArrayPool<byte>.Shared.Rent(4);
            Memory<byte> memory = new(header, 0, 4);
            Memory<byte> first = header.AsMemory(0, 2)[..1];
            try
            {
                while (!token.IsCancellationRequested)
                {
                    try
                    {
                        await stream.ReadExactlyAsync(memory, token);
                        if (first.Span[0] == 0)
                        {
                            continue;
                        }

                        onError(new InvalidDataException("No zero."));
                    }
                    catch (Exception failure) when (failure is not OperationCanceledException)
                    {
                        onError(failure);
                        break;
                    }
                }
            }
            finally
            {
                ArrayPool<byte>.Shared.Return(header);
            }
        }
        catch (OperationCanceledException) when (token.IsCancellationRequested)
        {
        }
        catch (Exception failure) when (failure.HResult != 0)
        {
            onError(failure);
        }
    }
}

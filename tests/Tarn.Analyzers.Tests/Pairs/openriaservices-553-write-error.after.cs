// OpenRIAServices/OpenRiaServices#553 (commit d436a723): the task that writes an error was returned without waiting for it, so the using gave the
// memory of the response to another request. The fix awaits it.
using System;
using System.Buffers;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

internal sealed class RequestSerializer
{
    public async Task WriteErrorAsync(Stream response, string fault, CancellationToken token)
    {
        if (token.IsCancellationRequested)
        {
            return;
        }

        var writer = new MessageWriter();
        try
        {
            writer.Write(fault);

            using var message = writer.TakeMessage();
            writer = null;

            if (message.Length == 0)
            {
                throw new InvalidOperationException();
            }

            await message.WriteToAsync(response, token);
        }
        catch (Exception)
        {
            writer?.Clear();
            throw;
        }
    }
}

internal sealed class MessageWriter
{
    private byte[]? _buffer;
    private int _length;

    public void Write(string text)
    {
        _buffer ??= ArrayPool<byte>.Shared.Rent(4096);
        _length = System.Text.Encoding.UTF8.GetBytes(text, _buffer);
    }

    public Message TakeMessage()
    {
        var message = new Message(_buffer, _length);
        _buffer = null;
        return message;
    }

    public void Clear()
    {
        if (_buffer != null)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = null;
        }
    }
}

internal struct Message(byte[]? buffer, int length) : IDisposable
{
    private byte[]? _buffer = buffer;

    public readonly int Length => length;

    public readonly async Task WriteToAsync(Stream stream, CancellationToken token) =>
        await stream.WriteAsync(_buffer.AsMemory(0, length), token).ConfigureAwait(false);

    public void Dispose()
    {
        if (_buffer != null)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = null;
        }
    }
}

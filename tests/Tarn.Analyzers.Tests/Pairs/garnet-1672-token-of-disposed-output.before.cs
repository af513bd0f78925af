// microsoft/garnet#1672 (ProcessRespSingleTokenOutput).
// The result pointed into the memory of the store's output, and the finally disposed that memory before the caller saw
// the result. The fix copies the token to memory of the session while the output is still alive.
using System;
using System.Buffers;
using System.Text;

internal sealed class StoreSession
{
    private byte[] _scratch = new byte[256];

    internal ReadOnlyMemory<byte> Get(string key)
    {
        IMemoryOwner<byte> output = MemoryPool<byte>.Shared.Rent(256);
        int written = Execute(key, output.Memory.Span);
        ReadOnlyMemory<byte> result;
        try
        {
            if (!TryReadLength(output.Memory.Span.Slice(0, written), out int start, out int length) || length < 0)
            {
                return default;
            }

            result = output.Memory.Slice(start, length);
        }
        finally
        {
            output.Dispose();
        }

        return result; // expect TARN002
    }

    private static int Execute(string key, Span<byte> output)
    {
        int length = Encoding.UTF8.GetBytes(key, output.Slice(1));
        output[0] = (byte)length;
        return length + 1;
    }

    private static bool TryReadLength(ReadOnlySpan<byte> reply, out int start, out int length)
    {
        start = 1;
        length = reply.IsEmpty ? -1 : reply[0];
        return !reply.IsEmpty;
    }

    private ReadOnlyMemory<byte> CopyToScratch(ReadOnlySpan<byte> value)
    {
        if (_scratch.Length < value.Length)
        {
            _scratch = new byte[value.Length];
        }

        value.CopyTo(_scratch);
        return _scratch.AsMemory(0, value.Length);
    }
}

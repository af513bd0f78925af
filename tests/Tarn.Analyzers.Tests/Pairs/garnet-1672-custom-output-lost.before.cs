// microsoft/garnet#1672 (the custom object commands).
// The reply of the store came in memory of a pool, which the session copied to its scratch memory and forgot to
// dispose. The fix disposes it after the copy.
using System;
using System.Buffers;
using System.Text;

internal enum StoreStatus
{
    Ok,
    NotFound,
    WrongType,
}

internal sealed class CustomCommands
{
    private static readonly byte[] s_wrongType = Encoding.ASCII.GetBytes("-WRONGTYPE\r\n");
    private static readonly byte[] s_ok = Encoding.ASCII.GetBytes("+OK\r\n");

    private byte[] _scratch = new byte[256];

    internal ReadOnlyMemory<byte> Run(string key)
    {
        IMemoryOwner<byte> memory = MemoryPool<byte>.Shared.Rent(512); // expect TARN011
        StoreStatus status = Read(key, memory.Memory.Span, out int written);
        ReadOnlyMemory<byte> output;
        switch (status)
        {
            case StoreStatus.WrongType:
                output = CopyToScratch(s_wrongType);
                break;
            default:
                output = written > 0 ? CopyToScratch(memory.Memory.Span.Slice(0, written)) : CopyToScratch(s_ok);
                break;
        }

        return output;
    }

    private static StoreStatus Read(string key, Span<byte> output, out int written)
    {
        written = Encoding.UTF8.GetBytes(key, output);
        return written == 0 ? StoreStatus.NotFound : StoreStatus.Ok;
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

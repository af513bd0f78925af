// rabbitmq/rabbitmq-dotnet-client#1264 (commit 0a49ae84): the message of the exception read the bad end marker
// out of the array that had just been returned. The fix reads the marker first.
using System;
using System.Buffers;

internal readonly struct InboundFrame(byte kind, Memory<byte> payload, byte[] rented)
{
    private const byte FrameEnd = 206;

    public byte Kind { get; } = kind;

    public Memory<byte> Payload { get; } = payload;

    public static bool TryRead(ref ReadOnlySequence<byte> input, int payloadSize, byte kind, out InboundFrame frame)
    {
        int readSize = payloadSize + 1;
        if (input.Length - 7 < readSize)
        {
            frame = default;
            return false;
        }
        else
        {
            byte[] payloadBytes = ArrayPool<byte>.Shared.Rent(readSize);
            ReadOnlySequence<byte> content = input.Slice(7, readSize);
            content.CopyTo(payloadBytes);

            if (payloadBytes[payloadSize] != FrameEnd)
            {
                var marker = payloadBytes[payloadSize];
                ArrayPool<byte>.Shared.Return(payloadBytes);
                throw new FormatException($"Bad frame end marker: {marker}");
            }

            frame = new InboundFrame(kind, new Memory<byte>(payloadBytes, 0, payloadSize), payloadBytes);
            input = input.Slice(7 + readSize);
            return true;
        }
    }

    public void ReturnPayload() => ArrayPool<byte>.Shared.Return(rented);
}

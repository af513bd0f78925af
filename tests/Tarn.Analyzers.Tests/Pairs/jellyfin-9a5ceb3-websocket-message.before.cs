// jellyfin/jellyfin, commit 9a5ceb34: a message in several segments was copied into a pooled array and the whole array was parsed, so that
// bytes behind the message made it invalid. The fix parses the segments.
using System;
using System.Buffers;
using System.Text.Json;

internal sealed class WebSocketConnection(JsonSerializerOptions options)
{
    public Message? ProcessInternal(ReadOnlySequence<byte> buffer, Action<SequencePosition> advance)
    {
        Message? message;
        try
        {
            if (buffer.IsSingleSegment)
            {
                message = JsonSerializer.Deserialize<Message>(buffer.FirstSpan, options);
            }
            else
            {
                var copy = ArrayPool<byte>.Shared.Rent(Convert.ToInt32(buffer.Length));
                try
                {
                    buffer.CopyTo(copy);
                    message = JsonSerializer.Deserialize<Message>(copy, options); // expect TARN007
                }
                finally
                {
                    ArrayPool<byte>.Shared.Return(copy);
                }
            }
        }
        catch (JsonException)
        {
            advance(buffer.End);
            return null;
        }

        advance(buffer.End);
        return message;
    }
}

internal sealed record Message(string Type, object? Data);

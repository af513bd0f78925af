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
            message = Deserialize(buffer);
        }
        catch (JsonException)
        {
            advance(buffer.End);
            return null;
        }

        advance(buffer.End);
        return message;
    }

    private Message? Deserialize(ReadOnlySequence<byte> buffer)
    {
        var reader = new Utf8JsonReader(buffer);
        return JsonSerializer.Deserialize<Message>(ref reader, options);
    }
}

internal sealed record Message(string Type, object? Data);

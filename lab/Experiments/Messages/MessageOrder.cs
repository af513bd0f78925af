using System.Text.Json;
using Tarn.Lab.Contenders.Messages;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>A command for the other process, in one line.</summary>
internal sealed record MessageOrder
{
    public required MessageOrderKind Kind { get; init; }

    /// <summary>The index among the routes that are open.</summary>
    public int Contender { get; init; }

    /// <summary>The number of the first message.</summary>
    public long First { get; init; }

    /// <summary>All messages of all writers.</summary>
    public int Count { get; init; }

    /// <summary>The processor of a single thread.</summary>
    public int Processor { get; init; } = MessageTraffic.WriterProcessor;

    /// <summary>Whether all sleep between two single messages.</summary>
    public bool IsAsleep { get; init; }

    /// <summary>Whether the time of a single message begins when it is written.</summary>
    public bool IsPrepared { get; init; }

    /// <summary>Of the routes to open.</summary>
    public MessageTraffic? Traffic { get; init; }

    /// <summary>The name of the gate for single messages.</summary>
    public string? Gate { get; init; }

    /// <summary>The routes to open; null for one that the other process has no part in.</summary>
    public IReadOnlyList<Place?> Places { get; init; } = [];

    /// <exception cref="InvalidDataException">It is not a command.</exception>
    public static MessageOrder Parse(string line)
    {
        try
        {
            return JsonSerializer.Deserialize<MessageOrder>(line) ?? throw new InvalidDataException("There is no command.");
        }
        catch (JsonException exception)
        {
            throw new InvalidDataException($"'{line}' is not a command: {exception.Message}", exception);
        }
    }

    public override string ToString() => JsonSerializer.Serialize(this);

    /// <summary>Where a contender is found.</summary>
    internal sealed record Place(string Name, string Address);
}

internal enum MessageOrderKind
{
    /// <summary>Closes the open routes and opens others.</summary>
    Open,

    /// <summary>Sends messages as fast as possible.</summary>
    Send,

    /// <summary>Sends single messages that contain their time.</summary>
    SendTimed,

    /// <summary>Answers messages.</summary>
    Echo,
}

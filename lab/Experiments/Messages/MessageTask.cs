using System.Globalization;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>What the other process is told to do: one line.</summary>
/// <param name="Kind">Its part of the work.</param>
/// <param name="Contender">Which of the contenders it has open, counted from zero.</param>
/// <param name="Length">Bytes of a message.</param>
/// <param name="Count">Messages.</param>
/// <param name="Processor">Where it does it.</param>
internal sealed record MessageTask(MessageTaskKind Kind, int Contender, int Length, int Count, int Processor = MessageTask.OtherProcessor)
{
    /// <summary>Where this process does its part.</summary>
    public const int OwnProcessor = 0;

    public const int OtherProcessor = 1;

    public static MessageTask Parse(string line)
    {
        string[] words = line.Split(' ');
        int[] numbers = [.. words.Skip(1).Select(word => int.Parse(word, CultureInfo.InvariantCulture))];
        return new MessageTask(Enum.Parse<MessageTaskKind>(words[0]), numbers[0], numbers[1], numbers[2], numbers[3]);
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Kind} {Contender} {Length} {Count} {Processor}");
}

internal enum MessageTaskKind
{
    Receive,
    Echo,
    SendPaced,
}

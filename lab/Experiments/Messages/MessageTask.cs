using System.Globalization;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>A command for the other process, in one line.</summary>
/// <param name="Kind">Its part of the work.</param>
/// <param name="Contender">The index of the contender, counted from zero.</param>
/// <param name="Length">Bytes of a message.</param>
/// <param name="Count">Messages.</param>
/// <param name="Processor">The processor to work on.</param>
internal sealed record MessageTask(MessageTaskKind Kind, int Contender, int Length, int Count, int Processor = MessageTask.OtherProcessor)
{
    /// <summary>The processor of this process.</summary>
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

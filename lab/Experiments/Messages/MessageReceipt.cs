using System.Globalization;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>The other process's report on the messages it received.</summary>
/// <param name="Ended">When it had verified the last message, by the machine's clock, not the process's.</param>
/// <param name="Switches">How often it slept between the first and the last message.</param>
internal sealed record MessageReceipt(long Ended, long Switches)
{
    public static MessageReceipt Parse(string line)
    {
        long[] numbers = [.. line.Split(' ').Select(word => long.Parse(word, CultureInfo.InvariantCulture))];
        return new MessageReceipt(numbers[0], numbers[1]);
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Ended} {Switches}");
}

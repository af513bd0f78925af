using System.Globalization;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>What the other process tells of messages it received.</summary>
/// <param name="Ended">When it had looked at the last; the clock is the machine's, not the process's.</param>
/// <param name="Switches">How often it slept between the first and the last.</param>
internal sealed record MessageReceipt(long Ended, long Switches)
{
    public static MessageReceipt Parse(string line)
    {
        long[] numbers = [.. line.Split(' ').Select(word => long.Parse(word, CultureInfo.InvariantCulture))];
        return new MessageReceipt(numbers[0], numbers[1]);
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Ended} {Switches}");
}

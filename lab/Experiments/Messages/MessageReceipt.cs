using System.Globalization;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>The other process's report on the messages it sent.</summary>
/// <param name="Started">When it began the first, by the machine's clock, not the process's.</param>
/// <param name="Switches">How often its threads slept meanwhile.</param>
internal sealed record MessageReceipt(long Started, long Switches)
{
    public static MessageReceipt Parse(string line)
    {
        long[] numbers = [.. line.Split(' ').Select(word => long.Parse(word, CultureInfo.InvariantCulture))];
        return new MessageReceipt(numbers[0], numbers[1]);
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Started} {Switches}");
}

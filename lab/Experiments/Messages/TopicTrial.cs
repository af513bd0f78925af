using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>Messages from one thread to each of several others, all of which must get every number, in order.</summary>
/// <param name="name">One of <see cref="Contenders.MessageNames"/>.</param>
/// <param name="crew">One thread more than there are readers: the first writes.</param>
/// <param name="ends">For each thread.</param>
/// <param name="length">Bytes of a message.</param>
internal sealed class TopicTrial(string name, Crew crew, TopicEnd[] ends, int length) : Trial(name, 1)
{
    /// <exception cref="InvalidDataException">A reader lost a message, or got one torn or twice.</exception>
    public override double Run(int iterations)
    {
        Exception? failed = null;
        double nanoseconds = crew.Run(member =>
        {
            try
            {
                for (long number = 0; number < iterations; number++)
                {
                    if (member == 0)
                    {
                        ends[member].Send(length, number);
                    }
                    else if (ends[member].Receive(length) is var received && received != number)
                    {
                        throw new InvalidDataException($"reader {member} got {received} instead of {number}");
                    }
                }
            }
#pragma warning disable CA1031 // rethrown below
            catch (Exception e)
#pragma warning restore CA1031
            {
                failed = e;
            }
        });
        return failed is null ? nanoseconds : throw new InvalidDataException($"{Name} failed: {failed.Message}", failed);
    }
}

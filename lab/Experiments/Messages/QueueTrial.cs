using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>Messages from some threads to others, each thread with what it has of the queue; every number must come once.</summary>
/// <param name="name">One of <see cref="Contenders.MessageNames"/>.</param>
/// <param name="crew">As many threads as there are writers and readers.</param>
/// <param name="writers">How many write; the others read.</param>
/// <param name="ends">For each thread.</param>
/// <param name="length">Bytes of a message.</param>
internal sealed class QueueTrial(string name, Crew crew, int writers, QueueEnd[] ends, int length) : Trial(name, 1)
{
    private readonly int _readers = ends.Length - writers;

    /// <exception cref="InvalidDataException">A message was lost, torn, or came twice.</exception>
    public override double Run(int iterations)
    {
        int step = writers * _readers;
        int messages = (iterations + step - 1) / step * step;
        long sum = 0;
        Exception? failed = null;
        double nanoseconds = crew.Run(member =>
        {
            try
            {
                if (member < writers)
                {
                    for (long number = member; number < messages; number += writers)
                    {
                        ends[member].Send(length, number);
                    }

                    return;
                }

                long own = 0;
                for (int i = 0; i < messages / _readers; i++)
                {
                    own += ends[member].Receive(length);
                }

                Interlocked.Add(ref sum, own);
            }
#pragma warning disable CA1031 // rethrown below
            catch (Exception e)
#pragma warning restore CA1031
            {
                failed = e;
            }
        });
        return failed is not null ? throw new InvalidDataException($"{Name} with {writers} writers failed: {failed.Message}", failed)
            : sum != messages * (messages - 1L) / 2 ? throw new InvalidDataException($"{Name} lost a message, or gave one twice.")
            : nanoseconds * iterations / messages;
    }
}

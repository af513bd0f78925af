using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using Tarn;
using Tarn.SharedMemory;

namespace Samples;

/// <summary>The second process: opens the ring by its name and reads to the end.</summary>
internal static class Reader
{
    internal static async Task<int> RunAsync(string name)
    {
        using OtherKinds others = new(name);
        int exitCode = Read(name, out long messages);
        if (exitCode == 0)
        {
            await others.TakeAsync(messages);
        }

        return exitCode;
    }

    private static int Read(string name, out long expected)
    {
        using SharedRing ring = SharedRing.Open(name);
        expected = 0;
        long start = 0;
        try
        {
            while (true)
            {
                // The message where it lies. Pass gives its room back to the writer.
                using SharedMessage message = ring.BeginRead();
                if (message.Span.IsEmpty)
                {
                    break;
                }

                long number = BinaryPrimitives.ReadInt64LittleEndian(message.Span);
                if (number != expected)
                {
                    Console.Error.WriteLine($"Message {number} came in place of message {expected}.");
                    return 1;
                }

                start = expected++ == 0 ? Stopwatch.GetTimestamp() : start;
                message.Pass();
            }
        }
        catch (SharedPeerLostException lost)
        {
            // Everything the writer published before it ended has been read.
            Console.Error.WriteLine($"{lost.Message} {expected} messages were read before.");
            return 1;
        }

        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{expected:N0} messages of {Writer.MessageLength} bytes in order, {expected / seconds:N0} a second."));
        return 0;
    }
}

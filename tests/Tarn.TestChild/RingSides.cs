using System.Globalization;
using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>
/// One process's sides of many rings, a thread for each, so that one kill interrupts each of them at a different point. Arguments: what the
/// rings' names begin with, how many there are, and which side this is: of every other ring the writer, of those between the reader. Begins
/// with a line of standard input, the writers' generation, and works until it is killed or the input ends. Writes a line for each
/// violation.
/// </summary>
internal static class RingSides
{
    internal static string NameOf(string prefix, int ring) => string.Create(CultureInfo.InvariantCulture, $"{prefix}-{ring}");

    /// <summary>Which side writes a ring; the other one reads it.</summary>
    internal static int WriterOf(int ring) => ring % 2;

    internal static void Run(string[] arguments)
    {
        int rings = int.Parse(arguments[1], CultureInfo.InvariantCulture);
        int side = int.Parse(arguments[2], CultureInfo.InvariantCulture);
        Console.WriteLine("ready");
        if (Console.ReadLine() is not { } line)
        {
            return;
        }

        long generation = long.Parse(line, CultureInfo.InvariantCulture);
        for (int ring = 0; ring < rings; ring++)
        {
            string name = NameOf(arguments[0], ring);
            bool writes = WriterOf(ring) == side;
            new Thread(() => Work(name, writes, generation)) { IsBackground = true }.Start();
        }

        while (Console.ReadLine() is not null)
        {
        }
    }

    private static void Work(string name, bool writes, long generation)
    {
        try
        {
            using SharedRing ring = SharedRing.Open(name);
            using RingLog log = RingLog.Open(name);
            if (writes)
            {
                RingWork.WriteUntilKilled(ring, log, generation);
            }
            else
            {
                RingWork.ReadUntilKilled(ring, log);
            }
        }
#pragma warning disable CA1031 // the process that started this one examines any exception
        catch (Exception e)
#pragma warning restore CA1031
        {
            Console.WriteLine($"{name}: {e.ToString().ReplaceLineEndings(" ")}");
        }
    }
}

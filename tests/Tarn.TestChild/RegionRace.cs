using System.Globalization;
using System.Runtime.CompilerServices;
using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>
/// Takes part in a race of several processes. Arguments: kind and directory, "meet" or "delete", which process this is, of how many, how
/// many rounds. Begins at a line of standard input; writes a line for each violation, and "done".
/// </summary>
internal static class RegionRace
{
    private const int Size = 5000;

    internal static void Run(string[] arguments)
    {
        NamedMemory names = RegionSystem.Open(arguments[0], arguments[1]);
        int self = int.Parse(arguments[3], CultureInfo.InvariantCulture);
        int processes = int.Parse(arguments[4], CultureInfo.InvariantCulture);
        int rounds = int.Parse(arguments[5], CultureInfo.InvariantCulture);
        Console.WriteLine("ready");
        Console.ReadLine();
        for (int round = 0; round < rounds; round++)
        {
            if (arguments[2] == "meet")
            {
                Meet(names, round, processes);
            }
            else
            {
                Delete(names, self, round);
            }
        }

        Console.WriteLine("done");
    }

    /// <summary>
    /// All processes open the same region, whichever creates it, and each waits in it for the others. A process that waited in another
    /// region would never end.
    /// </summary>
    private static unsafe void Meet(NamedMemory names, int round, int processes)
    {
        using SharedRegion region =
            SharedRegion.CreateOrOpen(names, $"meet{round}", Size, new SharedRegionOptions { DeleteOnDispose = false });
        ref int count = ref Unsafe.AsRef<int>(region.Pointer + 8);
        Interlocked.Increment(ref count);
        SpinWait wait = new();
        while (Volatile.Read(ref count) < processes)
        {
            wait.SpinOnce();
        }
    }

    /// <summary>
    /// All processes create and delete one name. Each has 8 bytes there, and reads from every other process either its value or zero.
    /// </summary>
    private static unsafe void Delete(NamedMemory names, int self, int round)
    {
        using SharedRegion region =
            SharedRegion.CreateOrOpen(names, "race", Size, new SharedRegionOptions { DeleteOnDispose = round % 3 == 0 });
        long* slots = (long*)region.Pointer;
        long mine = ((long)(self + 1) << 32) + round;
        Volatile.Write(ref slots[self], mine);
        for (int i = 0; i < Size / sizeof(long); i++)
        {
            long found = Volatile.Read(ref slots[i]);
            if (found != 0 && found >> 32 != i + 1)
            {
                Console.WriteLine($"In round {round} there is {found:x} at {i}.");
            }
        }

        if (Volatile.Read(ref slots[self]) != mine)
        {
            Console.WriteLine($"In round {round} there is {slots[self]:x} in place of {mine:x}.");
        }

        if (round % 2 == 0)
        {
            SharedRegion.Delete(names, "race");
        }
    }
}

using System.Globalization;
using System.IO.MemoryMappedFiles;
using Microsoft.Win32.SafeHandles;
using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>
/// Maps the files of the rings that <see cref="SpoiledRings"/> use in other processes, and overwrites headers and records at random until
/// its input ends; then writes how often it did. Arguments: what the rings' names begin with, and the seed.
/// </summary>
internal static unsafe class RingScribbler
{
    private static long s_scribbles;

    internal static void Run(string[] arguments)
    {
        Random random = new(int.Parse(arguments[1], CultureInfo.InvariantCulture));
        bool isOver = false;
        Thread scribbler = new(() =>
        {
            while (!Volatile.Read(ref isOver))
            {
                string name = SpoiledRings.NameNow(arguments[0]);
                try
                {
                    Scribble(name, arguments[0], random);
                }
                catch (IOException)
                {
                    // Nobody made it yet.
                    Thread.Sleep(1);
                }
            }
        });
        scribbler.Start();
        Console.WriteLine("ready");
        Console.In.ReadToEnd();
        Volatile.Write(ref isOver, true);
        scribbler.Join();
        Console.WriteLine(s_scribbles);
    }

    private static void Scribble(string name, string prefix, Random random)
    {
        string path = Path.Combine(NamedMemory.Current.Directory, RegionNames.ToFileName(name));
        using SafeFileHandle file = File.OpenHandle(
            path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        long size = RandomAccess.GetLength(file) - RegionHeader.Length;
        if (RingHeader.CapacityOf(size) is not { } capacity)
        {
            return;
        }

        using MemoryMappedFile map = MemoryMappedFile.CreateFromFile(
            file, mapName: null, capacity: 0, MemoryMappedFileAccess.ReadWrite, HandleInheritability.None, leaveOpen: true);
        using MemoryMappedViewAccessor view = map.CreateViewAccessor();
        byte* memory = null;
        view.SafeMemoryMappedViewHandle.AcquirePointer(ref memory);
        try
        {
            while (SpoiledRings.NameNow(prefix) == name)
            {
                ScribbleOnce(memory, (int)size, capacity, random);
                Pause(random);
            }
        }
        finally
        {
            view.SafeMemoryMappedViewHandle.ReleasePointer();
        }
    }

    private static void ScribbleOnce(byte* memory, int size, int capacity, Random random)
    {
        s_scribbles++;
        if (random.Next(30) == 0)
        {
            // Of the region's header, which is read when the ring is opened.
            *(long*)(memory + (random.Next(sizeof(RegionHeader) / sizeof(long)) * sizeof(long))) = random.NextInt64();
        }
        else
        {
            HostileRing.Spoil(memory + RegionHeader.Length, size, capacity, random);
        }
    }

    /// <summary>Mostly long enough that some messages pass; now and then in a row.</summary>
    private static void Pause(Random random)
    {
        switch (random.Next(4))
        {
            case 0:
                break;
            case 1:
                Thread.SpinWait(random.Next(2000));
                break;
            default:
                Thread.Sleep(random.Next(5));
                break;
        }
    }
}

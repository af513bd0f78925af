using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>
/// The two programs of docs/shared-memory.md for services that restart, as they stand there; a test compares them. They run until they are
/// killed. Arguments: "write" or "read", and the ring's name.
/// </summary>
internal static class RestartExamples
{
    internal static void Run(string[] arguments)
    {
        Console.WriteLine("ready");
        if (Console.ReadLine() is null)
        {
            return;
        }

        if (arguments[0] == "write")
        {
            Write(arguments[1]);
        }
        else
        {
            Read(arguments[1]);
        }
    }

    private static void Write(string name)
    {
        using SharedRing ring = SharedRing.CreateOrOpen(name, capacity: 1 << 16, new() { DeleteOnDispose = false });
        ring.AwaitSuccessor = true;
        ring.AttachWriter();                                      // from here on, only this process moves the write position
        for (long number = ring.WritePosition / 16; ; number++)   // a message of 8 bytes takes 16
        {
            ring.Write(BitConverter.GetBytes(number));            // waits while the ring is full, also for the next reader
        }
    }

    private static void Read(string name)
    {
        using SharedRing ring = SharedRing.CreateOrOpen(name, capacity: 1 << 16, new() { DeleteOnDispose = false });
        ring.AwaitSuccessor = true;
        while (true)
        {
            using SharedMessage message = ring.BeginRead();       // waits, also for the next writer
            Console.WriteLine(BitConverter.ToInt64(message.Span)); // the work; killed in it, the successor gets the message again
            message.Pass();                                       // gives its room to the writer
        }
    }
}

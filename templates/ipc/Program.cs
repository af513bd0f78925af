using System.Buffers.Binary;
using System.Diagnostics;
using Tarn.SharedMemory;

const string Name = "TarnProgram";
const int Messages = 1_000_000;

switch (args)
{
    case ["write"]:
        return Write();
    case ["read"]:
        return Read();
    default:
        Console.Error.WriteLine("Usage: \"dotnet run write\", and in another terminal \"dotnet run read\".");
        return 2;
}

static int Write()
{
    using SharedRing ring = SharedRing.Create(Name, capacity: 1 << 20);
    Console.WriteLine($"Writing {Messages:N0} messages. Start the reader: dotnet run read");
    try
    {
        for (long i = 0; i < Messages; i++)
        {
            // The message is made in the shared memory itself. This waits while the ring is full.
            using SharedRoom room = ring.BeginWrite(sizeof(long));
            BinaryPrimitives.WriteInt64LittleEndian(room.Span, i);
            room.Commit(sizeof(long));
        }

        // An empty message means here that no more follow. A reader that has opened the ring can read on when this process ends.
        ring.Write([]);
        return 0;
    }
    catch (SharedPeerLostException lost)
    {
        Console.Error.WriteLine(lost.Message);
        return 1;
    }
}

static int Read()
{
    // Waits until the writer has created the ring.
    using SharedRing ring = SharedRing.OpenWhenCreated(Name, TimeSpan.FromMinutes(1));
    long start = Stopwatch.GetTimestamp();
    long sum = 0;
    int count = 0;
    try
    {
        while (true)
        {
            // The message where it lies. Pass gives its room back to the writer; disposal without it leaves the message unread.
            using SharedMessage message = ring.BeginRead();
            if (message.Span.IsEmpty)
            {
                break;
            }

            sum += BinaryPrimitives.ReadInt64LittleEndian(message.Span);
            count++;
            message.Pass();
        }
    }
    catch (SharedPeerLostException lost)
    {
        // What the writer published before it ended has been read.
        Console.Error.WriteLine(lost.Message);
        return 1;
    }

    double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
    Console.WriteLine($"{count:N0} messages with the sum {sum}, {count / seconds:N0} a second");
    return 0;
}

using System.Buffers.Binary;
using System.Diagnostics;
using Tarn;
using Tarn.SharedMemory;

namespace Samples;

/// <summary>The first process: creates the ring, starts the reader, and writes.</summary>
internal static class Writer
{
    internal const int MessageLength = 64;

    internal static async Task<int> RunAsync(int messages)
    {
        using SharedRing ring = SharedRing.Create($"sample-{Environment.ProcessId}", capacity: 1 << 20);
        using OtherKinds others = new(ring.Name);
        using SharedPipeListener listener = SharedPipeListener.Create(OtherKinds.ListenerFor(ring.Name));
        using Process reader = StartSelf("read", ring.Name);
        try
        {
            for (long i = 0; i < messages; i++)
            {
                // The message is made in the ring itself, so nothing copies it. This waits while the ring is full.
                using SharedRoom room = ring.BeginWrite(MessageLength);
                room.Span.Clear();
                BinaryPrimitives.WriteInt64LittleEndian(room.Span, i);
                room.Commit(MessageLength);
            }

            // An empty message means here that no more follow.
            ring.Write([]);
            await others.OfferAsync(listener, messages);
        }
        catch (SharedPeerLostException lost)
        {
            Console.Error.WriteLine(lost.Message);
        }
        catch (OperationCanceledException)
        {
            Console.Error.WriteLine("The reader did not connect.");
        }

        await reader.WaitForExitAsync();
        return reader.ExitCode;
    }

    private static Process StartSelf(params IEnumerable<string> arguments)
    {
        // Under "dotnet run" the program is a file of its own; otherwise the host "dotnet" runs its assembly.
        string program = Environment.ProcessPath!;
        bool isHost = Path.GetFileNameWithoutExtension(program) == "dotnet";
        return Process.Start(program, isHost ? [typeof(Writer).Assembly.Location, .. arguments] : arguments);
    }
}

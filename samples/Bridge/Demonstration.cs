using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using Tarn;
using Tarn.SharedMemory;

namespace Samples;

/// <summary>
/// Both ends of the bridge on one machine: two rings, a process for each end, and this process as the program at both ends.
/// </summary>
internal static class Demonstration
{
    private const int MessageLength = 64;

    internal static async Task<int> RunAsync(Options options)
    {
        if (!await AnswersAsync(options.Broker))
        {
            Console.Error.WriteLine($"No broker answers at {options.Broker}. Start RabbitMQ there, or name another one with --broker.");
            return 2;
        }

        string name = $"bridge-{Environment.ProcessId}";
        string originFile = Path.Combine(Path.GetTempPath(), name + ".origin");
        using SharedRing source = SharedRing.Create(name + "-source", 1 << 20);
        using SharedRing destination = SharedRing.Create(name + "-destination", 1 << 20);
        string[] common = ["--queue", name, "--broker", options.Broker.ToString()];
        using CancellationTokenSource stop = new();
        Task sending = KeepRunningAsync(["send", source.Name, .. common], stop.Token);
        Task receiving = KeepRunningAsync(["receive", destination.Name, "--origin", originFile, .. common], stop.Token);
        try
        {
            Task writing = Task.Factory.StartNew(() => Write(source, options.Messages), TaskCreationOptions.LongRunning);
            bool isComplete = Read(destination, options.Messages);
            await writing;
            return isComplete ? 0 : 1;
        }
        finally
        {
            await stop.CancelAsync();
            await Task.WhenAll(sending, receiving);
            await new Broker(options.Broker, name).DeleteQueueAsync();
            File.Delete(originFile);
        }
    }

    /// <summary>Runs this program as one end of the bridge, and again whenever it ends: kill it, and see that nothing is lost.</summary>
    private static async Task KeepRunningAsync(string[] arguments, CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            using Process process = StartSelf(arguments);
            Console.WriteLine($"{arguments[0]} is process {process.Id}.");
            try
            {
                await process.WaitForExitAsync(stop);
                await Task.Delay(TimeSpan.FromSeconds(1), stop);
            }
            catch (OperationCanceledException)
            {
                process.Kill();
            }
        }
    }

    private static void Write(SharedRing ring, int messages)
    {
        Span<byte> message = stackalloc byte[MessageLength];
        message.Clear();
        for (long i = 0; i < messages; i++)
        {
            BinaryPrimitives.WriteInt64LittleEndian(message, i);
            while (true)
            {
                try
                {
                    ring.Write(message);
                    break;
                }
                catch (SharedPeerLostException)
                {
                    // The sender was killed, which is reported once. Its successor reads on.
                }
            }
        }
    }

    /// <summary>Returns whether every message came, once and in order.</summary>
    private static bool Read(SharedRing ring, int messages)
    {
        Span<byte> message = stackalloc byte[MessageLength];
        long start = 0;
        for (long i = 0; i < messages; i++)
        {
            while (true)
            {
                try
                {
                    ring.Read(message);
                    break;
                }
                catch (SharedPeerLostException)
                {
                    // The receiver was killed, which is reported once. Its successor writes on.
                }
            }

            start = i == 0 ? Stopwatch.GetTimestamp() : start;
            long number = BinaryPrimitives.ReadInt64LittleEndian(message);
            if (number != i)
            {
                Console.Error.WriteLine($"Message {number} came in place of message {i}.");
                return false;
            }
        }

        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{messages:N0} messages of {MessageLength} bytes from ring to ring, all and in order, {messages / seconds:N0} a second."));
        return true;
    }

    private static async Task<bool> AnswersAsync(Uri broker)
    {
        using TcpClient client = new();
        try
        {
            await client.ConnectAsync(broker.Host, broker.Port < 0 ? (broker.Scheme == "amqps" ? 5671 : 5672) : broker.Port);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private static Process StartSelf(string[] arguments)
    {
        // Under "dotnet run" the program is a file of its own; otherwise the host "dotnet" runs its assembly.
        string program = Environment.ProcessPath!;
        bool isHost = Path.GetFileNameWithoutExtension(program) == "dotnet";
        return Process.Start(program, isHost ? [typeof(Demonstration).Assembly.Location, .. arguments] : arguments);
    }
}

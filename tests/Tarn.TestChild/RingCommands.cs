using System.Diagnostics;
using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>
/// One side of a ring, or both, controlled by lines on standard input. Each line is answered by one on standard output: the requested for,
/// or the exception. Ends with the input.
/// </summary>
internal static class RingCommands
{
    private static SharedRing? s_ring;

    private static SharedRing Ring => s_ring!;

    internal static void Run(string[] arguments)
    {
        Console.WriteLine("ready");
        while (Console.ReadLine() is { } line)
        {
            string answer;
            try
            {
                answer = Obey(line.Split(' '));
            }
            catch (SharedPeerLostException e)
            {
                answer = $"lost {e.ProcessId} {e.HasLeft}";
            }
#pragma warning disable CA1031 // whatever it is, the test gets it
            catch (Exception e)
#pragma warning restore CA1031
            {
                answer = $"{e.GetType().Name} {e.Message}";
            }

            Console.WriteLine(answer.ReplaceLineEndings(" "));
        }
    }

    private static string Obey(string[] words) =>
        Manage(words) ?? Ask(words[0]) ?? Work(words) ?? Await(words)
        ?? throw new ArgumentException($"There is no command {words[0]}.", nameof(words));

    /// <summary>Commands for the ring itself; null for others.</summary>
    private static string? Manage(string[] words)
    {
        switch (words[0])
        {
            case "interval":
                RingSide.MillisecondsBetweenLooks = int.Parse(words[1]);
                return "done";
            case "create":
                s_ring = SharedRing.Create(words[1], int.Parse(words[2]));
                return "done";
            case "create-or-open":
                s_ring = SharedRing.CreateOrOpen(words[1], int.Parse(words[2]), new SharedRegionOptions { DeleteOnDispose = false });
                return "done";
            case "open":
                s_ring = SharedRing.Open(words[1]);
                return "done";
            case "open-again":
                Ring.Dispose();
                s_ring = SharedRing.Open(words[1]);
                return "done";
            case "dispose-later":
                RingWork.WaitUntil(Ring, words[1], int.Parse(words[2]), Ring.Dispose, CancellationToken.None);
                return "done";
            case "cancel-later":
                using (CancellationTokenSource source = new())
                {
                    RingWork.WaitUntil(Ring, words[1], int.Parse(words[2]), source.Cancel, source.Token);
                    return "done";
                }

            case "dispose":
                Ring.Dispose();
                return "done";
            case "attach-writer":
                Ring.AttachWriter();
                return "done";
            case "attach-reader":
                Ring.AttachReader();
                return "done";
            case "listen":
                _ = AcceptAsync(SharedPipeListener.Create(words[1]), int.Parse(words[2]));
                return "done";
            default:
                return null;
        }
    }

    /// <summary>Accepts so many connections, and leaves the others waiting.</summary>
    private static async Task AcceptAsync(SharedPipeListener listener, int count)
    {
        List<SharedPipe> accepted = [];
        while (accepted.Count < count)
        {
            accepted.Add(await listener.AcceptAsync());
        }

        await Task.Delay(Timeout.Infinite);
        accepted.ForEach(static pipe => pipe.Dispose());
        listener.Dispose();
    }

    /// <summary>Questions; null for other commands.</summary>
    private static string? Ask(string command)
    {
        switch (command)
        {
            case "pid":
                return $"{Environment.ProcessId}";
            case "start":
                using (Process started = Process.Start("sleep", "600"))
                {
                    return $"{started.Id}";
                }

            case "processes":
                return $"{Ring.WriterProcessId} {Ring.ReaderProcessId}";
            case "cpu":
                using (Process self = Process.GetCurrentProcess())
                {
                    return $"{(long)self.TotalProcessorTime.TotalMilliseconds}";
                }

            default:
                return null;
        }
    }

    /// <summary>Commands for messages that are awaited; null for others.</summary>
    private static string? Await(string[] words)
    {
        Random? pauses = words.Length > 3 ? new Random(int.Parse(words[3])) : null;
        switch (words[0])
        {
            case "await-writes":
                AwaitedRingWork.Write(Ring, int.Parse(words[1]), int.Parse(words[2]), pauses).GetAwaiter().GetResult();
                return "done";
            case "await-reads":
                AwaitedRingWork.Read(Ring, int.Parse(words[1]), int.Parse(words[2]), pauses).GetAwaiter().GetResult();
                return "done";
            default:
                return null;
        }
    }

    /// <summary>Commands for messages; null for others.</summary>
    private static string? Work(string[] words)
    {
        switch (words[0])
        {
            case "write":
                RingWork.Write(Ring, int.Parse(words[1]), int.Parse(words[2]), pauses: null);
                return "done";
            case "read":
                RingWork.Read(Ring, int.Parse(words[1]), int.Parse(words[2]), pauses: null);
                return "done";
            case "write-slowly":
                RingWork.Write(Ring, int.Parse(words[1]), int.Parse(words[2]), new Random(int.Parse(words[3])));
                return "done";
            case "read-slowly":
                RingWork.Read(Ring, int.Parse(words[1]), int.Parse(words[2]), new Random(int.Parse(words[3])));
                return "done";
            case "begin":
                Ring.BeginWrite(int.Parse(words[1])).Span.Fill(0xEE);
                return "done";
            case "peek":
                Ring.BeginRead();
                return "done";
            case "fill":
                return $"{RingWork.Fill(Ring)}";
            case "echo":
                using (SharedRing back = SharedRing.Open(words[1]))
                {
                    return RingWork.Echo(Ring, back, int.Parse(words[2]), new Random(int.Parse(words[3])));
                }

            case "ping":
                using (SharedRing back = SharedRing.Open(words[1]))
                {
                    return RingWork.Ping(Ring, back, int.Parse(words[2]), new Random(int.Parse(words[3])));
                }

            case "write-until-killed":
                RingWork.WriteUntilKilled(Ring, RingLog.Open(Ring.Name), long.Parse(words[1]));
                return "done";
            case "read-until-killed":
                RingWork.ReadUntilKilled(Ring, RingLog.Open(Ring.Name));
                return "done";
            default:
                return null;
        }
    }
}

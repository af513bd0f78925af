using System.Diagnostics;
using System.Globalization;
using Tarn.Tests.Tidy;

namespace Tarn.SharedMemory.Tests.Carriers.Layout;

/// <summary>Clients in C, written by docs/shared-memory-layout.md alone, exchange messages with this library.</summary>
public sealed class ClientTests
{
    private const int Messages = 20_000;
    private static readonly string[] s_compilers = ["/usr/bin/gcc", "/usr/bin/cc"];
    private static readonly TimeSpan s_longest = TimeSpan.FromMinutes(2);

    [SkippableFact]
    public void A_client_in_C_reads_one_ring_and_writes_another()
    {
        using RegionDirectory directory = RegionDirectory.Create("linux");
        using SharedRing to = SharedRing.Create(directory.Names, "to", 256);
        using SharedRing from = SharedRing.Create(directory.Names, "from", 512);
        using RegionDirectory programs = RegionDirectory.Create("file");
        using Process client = Start(directory, programs, "ring");
        using CancellationTokenSource late = new(s_longest);
        var writer = new Thread(() =>
        {
            for (int number = 0; number < Messages; number++)
            {
                to.Write(Message(number), late.Token);
            }
        });
        writer.Start();

        byte[] buffer = new byte[from.MaxMessageLength];
        for (int number = 0; number < Messages; number++)
        {
            int length = from.Read(buffer, late.Token);
            Assert.Equal(Answer(number), buffer[..length]);
        }

        writer.Join();
        Assert.Equal("", End(client));
        Assert.Equal((to.WritePosition, to.WritePosition), (to.ReadPosition, from.WritePosition));
        Assert.Equal((0, 0), (to.ReaderProcessId, from.WriterProcessId));
    }

    [SkippableFact]
    public void A_client_in_C_reads_one_queue_and_writes_another()
    {
        using RegionDirectory directory = RegionDirectory.Create("linux");
        using SharedQueue to = SharedQueue.Create(directory.Names, "to", 4, 100);
        using SharedQueue from = SharedQueue.Create(directory.Names, "from", 8, 100);
        using RegionDirectory programs = RegionDirectory.Create("file");
        using Process client = Start(directory, programs, "queue");
        var writer = new Thread(() =>
        {
            for (int number = 0; number < Messages; number++)
            {
                _ = to.Write(Message(number), s_longest);
            }
        });
        writer.Start();

        byte[] buffer = new byte[from.MaxMessageLength];
        for (int number = 0; number < Messages; number++)
        {
            Assert.True(from.Read(buffer, out int length, s_longest));
            Assert.Equal(Answer(number), buffer[..length]);
        }

        writer.Join();
        Assert.Equal("", End(client));
        Assert.Equal((1, 1, 0, 0), (to.MemberCount, from.MemberCount, to.ReturnedCount, from.SkippedCount));
        to.Validate();
        from.Validate();
    }

    [SkippableFact]
    public void A_client_in_C_holds_the_writer_of_one_topic_back_and_writes_another()
    {
        using RegionDirectory directory = RegionDirectory.Create("linux");
        using SharedTopic to = SharedTopic.Create(directory.Names, "to", 40, 100);
        using SharedTopic from = SharedTopic.Create(directory.Names, "from", 3, 100);
        using SharedTopicReader reader = from.OpenReader(holdsWriter: true);

        // The client begins with the oldest message, and .NET writes no more than are kept before the client holds it back.
        Assert.True(to.TryWrite(Message(0)));
        using RegionDirectory programs = RegionDirectory.Create("file");
        using Process client = Start(directory, programs, "topic");
        byte[] buffer = new byte[from.MaxMessageLength];
        Assert.True(reader.Read(buffer, out int first, s_longest));
        Assert.Equal(Answer(0), buffer[..first]);
        var writer = new Thread(() =>
        {
            for (int number = 1; number < Messages; number++)
            {
                _ = to.Write(Message(number), s_longest);
            }
        });
        writer.Start();

        for (int number = 1; number < Messages; number++)
        {
            Assert.True(reader.Read(buffer, out int length, s_longest));
            Assert.Equal(Answer(number), buffer[..length]);
        }

        writer.Join();
        Assert.Equal("", End(client));
        Assert.Equal((Messages, Messages, 0), (to.Position, from.Position, reader.LostCount));
        Assert.Equal(0, from.WriterProcessId);
        to.Validate();
        from.Validate();
    }

    private static byte[] Message(int number)
    {
        byte[] message = new byte[number % 90];
        new Random(number).NextBytes(message);
        return message;
    }

    private static byte[] Answer(int number) => [.. Message(number).Select(static one => (byte)(one + 1))];

    /// <summary>Compiles a client and starts it with the files of two regions.</summary>
    private static Process Start(RegionDirectory directory, RegionDirectory programs, string kind)
    {
        string? compiler = s_compilers.FirstOrDefault(File.Exists);
        Skip.If(compiler is null, "no gcc here");
        string program = Path.Combine(programs.Path, kind);
        string source = Repository.At($"tests/Tarn.SharedMemory.Tests/Carriers/Layout/{kind}.c");
        using Process compiling = Run(compiler!, "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-sign-compare", "-o", program, source);
        Assert.Equal("", End(compiling));
        return Run(
            program, directory.FileOf("to"), directory.FileOf("from"), Messages.ToString(CultureInfo.InvariantCulture));
    }

    private static Process Run(string program, params string[] words) =>
        Process.Start(new ProcessStartInfo(program, words) { RedirectStandardError = true })!;

    /// <summary>Waits until a process ends; returns what is wrong.</summary>
    private static string End(Process process)
    {
        string error = process.StandardError.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0 ? error : $"exit code {process.ExitCode}: {error}";
    }
}

using System.Diagnostics;
using Tarn.SharedMemory.Tests.Carriers;

namespace Tarn.SharedMemory.Tests.Pipes;

/// <summary>Many clients at once, and clients that are refused: nobody waits for ever, and everyone hears why.</summary>
public sealed class SharedPipeListenerTests : RingTest
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    /// <summary>More than a queue has members, and more than the backlog.</summary>
    [Fact]
    public async Task Any_number_of_clients_may_connect_at_once()
    {
        const int Clients = 200;
        using SharedPipeListener listener = SharedPipeListener.Create(Name);
        Task<SharedPipe>[] connecting =
            [.. Enumerable.Range(0, Clients).Select(_ => Task.Run(async () => await SharedPipe.ConnectAsync(Name, 64)))];

        // Those beyond the backlog wait too.
        Task<Task<SharedPipe>> early = Task.WhenAny(connecting);
        await Task.WhenAny(early, Task.Delay(500));
        Assert.False(early.IsCompleted, early.IsCompleted ? $"{(await early).Exception}" : "");
        for (int i = 0; i < Clients; i++)
        {
            Keep(await listener.AcceptAsync().AsTask().WaitAsync(s_limit));
        }

        foreach (SharedPipe client in await Task.WhenAll(connecting).WaitAsync(s_limit))
        {
            Keep(client);
        }
    }

    [Fact]
    public async Task A_client_that_cannot_be_accepted_hears_why_and_the_next_one_is_accepted()
    {
        using SharedPipeListener listener = SharedPipeListener.Create(Name);
        List<Exception> refusals = [];
        listener.Refused += (sender, e) =>
        {
            Assert.Same(listener, sender);
            refusals.Add(e);
        };
        Task<SharedPipe> connecting = SharedPipe.ConnectAsync(Name, 64).AsTask();

        // Somebody else has the role that the listener needs.
        string ring = SharedRegion.List().Single(region => region.Name.StartsWith(Name, StringComparison.Ordinal)
            && region.Name.EndsWith(".up", StringComparison.Ordinal)).Name;
        using (SharedRing taken = SharedRing.Open(ring))
        {
            taken.AttachReader();
            Task<SharedPipe> accepting = listener.AcceptAsync().AsTask();
            IOException refused = await Assert.ThrowsAsync<IOException>(() => connecting.WaitAsync(s_limit));
            Assert.Contains($"The listener at \"{Name}\" refused the connection: The ring", refused.Message, StringComparison.Ordinal);
            Assert.Contains("has a reader already", refused.Message, StringComparison.Ordinal);

            using SharedPipe client = await SharedPipe.ConnectAsync(Name, 64).AsTask().WaitAsync(s_limit);
            using SharedPipe server = await accepting.WaitAsync(s_limit);
            Exception reported = Assert.Single(refusals);
            Assert.IsType<InvalidOperationException>(reported);
            Assert.EndsWith(reported.Message, refused.Message, StringComparison.Ordinal);
        }
    }

    [SkippableFact]
    public async Task A_listener_without_files_refuses_with_that_reason_and_goes_on()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "It limits the files of a process by its shell.");
        using Process server = ChildProcess.Start(["listener without files", Name], "ulimit -n 300");
        Assert.Equal("listens", await server.StandardOutput.ReadLineAsync());
        using (await SharedPipe.ConnectAsync(Name, 64).AsTask().WaitAsync(s_limit))
        {
            Assert.Equal("full", await server.StandardOutput.ReadLineAsync());
        }

        IOException refused = await Assert.ThrowsAsync<IOException>(() => SharedPipe.ConnectAsync(Name, 64).AsTask().WaitAsync(s_limit));
        Assert.Contains($"The listener at \"{Name}\" refused the connection: ", refused.Message, StringComparison.Ordinal);
        Assert.StartsWith("refused: ", await server.StandardOutput.ReadLineAsync(), StringComparison.Ordinal);
        await server.StandardInput.WriteLineAsync();
        Assert.Equal("free", await server.StandardOutput.ReadLineAsync());
        using SharedPipe second = await SharedPipe.ConnectAsync(Name, 64).AsTask().WaitAsync(s_limit);
        Assert.Equal("accepted", await server.StandardOutput.ReadLineAsync());
        await server.WaitForExitAsync().WaitAsync(s_limit);
        Assert.Equal(0, server.ExitCode);
    }
}

using System.Buffers;
using System.Collections.Concurrent;
using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.Logging;
using Tarn.SharedMemory;
using Tarn.SharedMemory.AspNetCore;

namespace Tarn.AspNetCore.Tests.SharedMemory;

/// <summary>What Kestrel's listener does about failures: it says so in the log, and goes on, because Kestrel would not.</summary>
#pragma warning disable CA1001 // the runner disposes it through IAsyncLifetime
public sealed class SharedMemoryListenerTests : IAsyncLifetime
#pragma warning restore CA1001
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    private readonly string _name = $"test-{Guid.NewGuid():N}";
    private readonly MessageLogger _log = new();
    private readonly OnePool _pool = new();
    private SharedMemoryListener _listener = null!;

    public Task InitializeAsync()
    {
        SharedMemoryListener.PauseAfterFailure = TimeSpan.FromMilliseconds(10);
        _listener = new SharedMemoryListener(new SharedMemoryEndPoint(_name), SharedPipeListener.Create(_name), _pool, _log);
        return Task.CompletedTask;
    }

    public async Task DisposeAsync()
    {
        await _listener.DisposeAsync();
        await _listener.DisposeAsync();
        Assert.Equal(1, _pool.Disposals);
        Assert.DoesNotContain(SharedRegion.List(), region => region.Name.StartsWith(_name, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_client_that_cannot_be_accepted_is_logged_and_the_next_one_is_accepted()
    {
        Task<SharedPipe> connecting = SharedPipe.ConnectAsync(_name, 64).AsTask();
        string ring = SharedRegion.List().Single(region =>
            region.Name.StartsWith(_name, StringComparison.Ordinal) && region.Name.EndsWith(".up", StringComparison.Ordinal)).Name;
        using SharedRing taken = SharedRing.Open(ring);
        taken.AttachReader();
        Task<ConnectionContext?> accepting = _listener.AcceptAsync().AsTask();
        await Assert.ThrowsAsync<IOException>(() => connecting.WaitAsync(s_limit));

        using SharedPipe client = await SharedPipe.ConnectAsync(_name, 64).AsTask().WaitAsync(s_limit);
        await using ConnectionContext? accepted = await accepting.WaitAsync(s_limit);
        Assert.NotNull(accepted);
        (LogLevel level, string message) = Assert.Single(_log.Messages);
        Assert.Equal(LogLevel.Warning, level);
        Assert.Contains("was refused", message, StringComparison.Ordinal);
        Assert.Contains("has a reader already", message, StringComparison.Ordinal);
    }

    /// <summary>Nobody could connect any more. So another listener takes the name.</summary>
    [SkippableFact]
    public async Task A_listener_whose_queue_was_spoiled_is_replaced()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "It writes to the file.");
        Task<ConnectionContext?> accepting = _listener.AcceptAsync().AsTask();
        await using (FileStream file = new($"/dev/shm/tarn.{_name}", FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite))
        {
            byte[] wrong = new byte[8];
            wrong.AsSpan().Fill(0x3D);
            foreach (int offset in (int[])[128, 256])
            {
                file.Position = 4096 + offset;
                await file.WriteAsync(wrong);
            }
        }

        SharedPipe? client = null;
        while (client is null)
        {
            try
            {
                client = await SharedPipe.ConnectAsync(_name, 64).AsTask().WaitAsync(s_limit);
            }
            catch (Exception e) when (e is InvalidDataException or IOException)
            {
                await Task.Delay(10);
            }
        }

        Assert.NotNull(await accepting.WaitAsync(s_limit));
        client.Dispose();
        Assert.Contains(_log.Messages, static entry =>
            entry.Level == LogLevel.Error && entry.Message.Contains("is corrupted", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_callback_that_throws_leaves_no_other_connection_open()
    {
        SharedPipe[] clients = new SharedPipe[3];
        for (int i = 0; i < clients.Length; i++)
        {
            Task<SharedPipe> connecting = SharedPipe.ConnectAsync(_name, 64).AsTask();
            ConnectionContext? connection = await _listener.AcceptAsync().AsTask().WaitAsync(s_limit);
            connection!.ConnectionClosed.Register(static () => throw new InvalidOperationException("of a callback"));
            clients[i] = await connecting;
        }

        await Assert.ThrowsAnyAsync<Exception>(async () => await _listener.DisposeAsync());
        Assert.All(clients, static client =>
        {
            Assert.Equal(0, client.PeerProcessId);
            client.Dispose();
        });
    }

    private sealed class OnePool : MemoryPool<byte>
    {
        internal int Disposals { get; private set; }

        public override int MaxBufferSize => 4096;

        public override IMemoryOwner<byte> Rent(int minBufferSize = -1) => Shared.Rent(minBufferSize);

        protected override void Dispose(bool disposing) => Disposals++;
    }

    private sealed class MessageLogger : ILogger
    {
        private readonly ConcurrentQueue<(LogLevel, string)> _messages = new();

        internal (LogLevel Level, string Message)[] Messages => [.. _messages];

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (IsEnabled(logLevel))
            {
                _messages.Enqueue((logLevel, $"{formatter(state, exception)} {exception?.Message}"));
            }
        }
    }
}

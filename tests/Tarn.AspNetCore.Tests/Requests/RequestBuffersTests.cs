using System.Buffers;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Tarn.AspNetCore.Tests.Support;

namespace Tarn.AspNetCore.Tests.Requests;

public class RequestBuffersTests
{
    private readonly BufferPool<byte> _pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "requests" });

    [Fact]
    public async Task Buffers_return_after_answers_and_exceptions_and_aborted_requests()
    {
        TaskCompletionSource isWaiting = new(TaskCreationOptions.RunContinuationsAsynchronously);
        await using RunningServer server = await RunningServer.StartAsync(application =>
        {
            application.MapGet("/answer", (RequestBuffers buffers) => buffers.Lease(_pool, 5_000).Length);
            application.MapGet("/exception", (RequestBuffers buffers) => _ = buffers.Lease(_pool, 5_000).Span[5_000]);
            application.MapGet("/wait", async (HttpContext context, RequestBuffers buffers) =>
            {
                buffers.Lease(_pool, 5_000).Span.Fill(1);
                isWaiting.SetResult();
                await Task.Delay(Timeout.InfiniteTimeSpan, context.RequestAborted);
            });
        });
        using HttpClient client = server.CreateClient();

        Assert.Equal("5000", await client.GetStringAsync(new Uri("/answer", UriKind.Relative)));
        using HttpResponseMessage failed = await client.GetAsync(new Uri("/exception", UriKind.Relative));
        Assert.Equal(HttpStatusCode.InternalServerError, failed.StatusCode);

        using (Socket socket = new(SocketType.Stream, ProtocolType.Tcp))
        {
            await socket.ConnectAsync(IPAddress.Loopback, server.Http.Port);
            await socket.SendAsync("GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n"u8.ToArray());
            await isWaiting.Task;
            Assert.NotEqual(0, _pool.GetStatistics().InUseBytes);
        }

        await Eventually.Holds(() => _pool.GetStatistics().InUseBytes == 0, "a buffer of an ended request is in use");
        Assert.Equal((3, 3), (_pool.GetStatistics().Rented, _pool.GetStatistics().Returned));
    }

    /// <summary>The array of a lease went back by other means, which its end reports. The leases after it go back all the same.</summary>
    [Fact]
    public void A_lease_whose_end_throws_keeps_no_other_one()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.Returns });
        RequestBuffers buffers = new();
        Memory<byte> wronged = buffers.Lease(pool, 100);
        buffers.Lease(pool, 100);
        buffers.CreateStream().Write(new byte[100]);
        Assert.True(System.Runtime.InteropServices.MemoryMarshal.TryGetArray<byte>(wronged, out ArraySegment<byte> segment));
        pool.Return(segment.Array!);

        Assert.ThrowsAny<InvalidOperationException>(buffers.Dispose);
        buffers.Dispose();
        Assert.Equal(0, pool.GetStatistics().InUseBytes);
    }

    [Fact]
    public void Memory_has_the_exact_length_and_throws_after_the_request()
    {
        RequestBuffers buffers = new();
        Memory<byte> memory = buffers.Lease(_pool, 4_097);
        Memory<char> characters = buffers.Lease<char>(3);
        Assert.Equal((4_097, 3), (memory.Length, characters.Length));

        buffers.Dispose();
        buffers.Dispose();

        Assert.Throws<ObjectDisposedException>(() => memory.Span.Length);
        Assert.Throws<ObjectDisposedException>(() => characters.Span.Length);
        Assert.Equal(1, _pool.GetStatistics().Returned);
        ObjectDisposedException exception = Assert.Throws<ObjectDisposedException>(() => buffers.Lease(_pool, 1));
        Assert.Contains("The request has ended", exception.Message, StringComparison.Ordinal);
        Assert.Equal(0, _pool.GetStatistics().InUseBytes);
    }

    /// <summary>A second return that the pool finds at the end must not cost the request its other buffers.</summary>
    [Fact]
    public void A_lease_whose_return_throws_does_not_keep_the_others()
    {
        BufferPool<byte> checking = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.Returns });
        RequestBuffers buffers = new();
        Memory<byte> misused = buffers.Lease(checking, 100);
        PooledMemoryStream stream = buffers.CreateStream();
        _ = buffers.Lease(_pool, 100);
        Assert.True(MemoryMarshal.TryGetArray(misused, out ArraySegment<byte> array));
        checking.Return(array.Array!);

        Assert.Throws<InvalidOperationException>(buffers.Dispose);

        Assert.False(stream.CanRead);
        Assert.Equal(0, _pool.GetStatistics().InUseBytes);
    }

    [Fact]
    public void Memory_that_is_pinned_at_the_end_returns_when_the_pin_ends()
    {
        RequestBuffers buffers = new();
        MemoryHandle pin = buffers.Lease(_pool, 100).Pin();
        buffers.Dispose();
        Assert.NotEqual(0, _pool.GetStatistics().InUseBytes);

        pin.Dispose();
        Assert.Equal(0, _pool.GetStatistics().InUseBytes);
    }

    [Fact]
    public void A_stream_ends_with_the_request_or_before()
    {
        RequestBuffers buffers = new();
        PooledMemoryStream stream = buffers.CreateStream(capacity: 1_000);
        PooledMemoryStream earlier = buffers.CreateStream();
        stream.Write(new byte[3_000]);
        earlier.Dispose();
        buffers.Dispose();

        Assert.False(stream.CanRead);
    }

    [Fact]
    public void Each_scope_has_buffers_of_its_own()
    {
        using ServiceProvider provider = new ServiceCollection().AddTarn().BuildServiceProvider();
        using IServiceScope one = provider.CreateScope();
        using IServiceScope two = provider.CreateScope();

        Assert.Same(Find(one), Find(one));
        Assert.NotSame(Find(one), Find(two));
    }

    [Fact]
    public void Wrong_arguments_are_refused_by_name()
    {
        using RequestBuffers buffers = new();

        Assert.Throws<ArgumentNullException>("pool", () => buffers.Lease<byte>(null!, 1));
        Assert.Throws<ArgumentOutOfRangeException>("length", () => buffers.Lease<byte>(-1));
        Assert.Throws<ArgumentOutOfRangeException>("capacity", () => buffers.CreateStream(-1));
    }

    private static RequestBuffers Find(IServiceScope scope) => scope.ServiceProvider.GetRequiredService<RequestBuffers>();

    [Fact]
    public void Leases_and_streams_come_from_pools_with_the_cap_of_the_options()
    {
        using ServiceProvider provider = new ServiceCollection()
            .AddTarn(static options => (options.MaxPooledBytes, options.Checks) = (2 << 20, BufferChecks.None)).BuildServiceProvider();
        using (IServiceScope scope = provider.CreateScope())
        {
            RequestBuffers buffers = scope.ServiceProvider.GetRequiredService<RequestBuffers>();
            for (int i = 0; i < 5; i++)
            {
                buffers.Lease<byte>(1 << 20);
                buffers.Lease<char>(1 << 19);
                buffers.CreateStream().Write(new byte[1 << 20]);
            }
        }

        RequestPools pools = provider.GetRequiredService<RequestPools>();
        Assert.InRange(pools.Find<byte>().GetStatistics().Rented, 10, 100);
        Assert.InRange(pools.Find<byte>().GetStatistics().RetainedBytes, 1 << 20, 2 << 20);
        Assert.InRange(pools.Find<char>().GetStatistics().RetainedBytes, 1 << 20, 2 << 20);
    }
}

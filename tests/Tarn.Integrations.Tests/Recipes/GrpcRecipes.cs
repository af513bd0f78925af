using System.Buffers;
using System.Net;
using Grpc.Core;
using Grpc.Net.Client;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Tarn.SharedMemory;
using Tarn.SharedMemory.AspNetCore;

namespace Tarn.Integrations.Tests.Recipes;

public sealed class GrpcRecipes
{
    [Fact]
    public async Task A_message_of_megabytes_is_a_pooled_sequence_at_both_ends()
    {
        WebApplicationBuilder builder = CreateBuilder();
        builder.WebHost.ConfigureKestrel(static kestrel =>
            kestrel.Listen(IPAddress.Loopback, 0, static endpoint => endpoint.Protocols = HttpProtocols.Http2));
        await using WebApplication app = await StartAsync(builder);
        using GrpcChannel channel = GrpcChannel.ForAddress(app.Urls.Single(), new GrpcChannelOptions { MaxReceiveMessageSize = null });

        byte[] report = CreateReport();

        #region gRPC, a call
        using PooledMemoryStream contents = new();
        contents.Write(report);
        CallInvoker invoker = channel.CreateCallInvoker();
        using OwnedSequence<byte> answer = await invoker.AsyncUnaryCall(EchoService.Send, host: null, default, contents.Detach());
        #endregion

        Assert.Equal(report, answer.Sequence.ToArray());
        await app.StopAsync();
    }

    /// <summary>Many calls at once, each larger than the rings that carry them.</summary>
    [Fact]
    public async Task Calls_go_through_shared_memory()
    {
        string name = $"grpc-{Guid.NewGuid():N}";
        WebApplicationBuilder builder = CreateBuilder();

        #region gRPC, a server over shared memory
        builder.WebHost.UseTarnSharedMemory();
        builder.WebHost.ConfigureKestrel(kestrel =>
            kestrel.Listen(new SharedMemoryEndPoint(name), static endpoint => endpoint.Protocols = HttpProtocols.Http2));
        #endregion
        await using WebApplication app = await StartAsync(builder);

        #region gRPC, a channel over shared memory
        using GrpcChannel channel = GrpcChannel.ForAddress("http://shared-memory", new GrpcChannelOptions
        {
            MaxReceiveMessageSize = null,
            HttpHandler = new SocketsHttpHandler
            {
                ConnectCallback = async (_, cancellationToken) =>
                {
                    SharedPipe pipe = await SharedPipe.ConnectAsync(name, cancellationToken: cancellationToken);
                    return pipe.AsStream();
                },
            },
        });
        #endregion
        byte[] report = CreateReport();
        CallInvoker invoker = channel.CreateCallInvoker();
        await Task.WhenAll(Enumerable.Range(1, 16).Select(async i =>
        {
            using PooledMemoryStream contents = new();
            contents.Write(report.AsSpan(0, report.Length / i));
            using OwnedSequence<byte> answer = await invoker.AsyncUnaryCall(EchoService.Send, host: null, default, contents.Detach());
            Assert.Equal(report[..(report.Length / i)], answer.Sequence.ToArray());
        }));
        await app.StopAsync();
    }

    private static byte[] CreateReport()
    {
        byte[] report = new byte[5_000_000];
        new Random(1).NextBytes(report);
        return report;
    }

    private static WebApplicationBuilder CreateBuilder()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddGrpc(static options => options.MaxReceiveMessageSize = null);
        return builder;
    }

    private static async Task<WebApplication> StartAsync(WebApplicationBuilder builder)
    {
        WebApplication app = builder.Build();
        app.MapGrpcService<Echo>();
        await app.StartAsync();
        return app;
    }

    #region gRPC, a marshaller
    /// <summary>Messages that are bytes in pooled memory. Sending one gives it away; whoever receives one disposes it.</summary>
    [BindServiceMethod(typeof(EchoService), nameof(Bind))]
    public abstract class EchoService
    {
        private static readonly Marshaller<OwnedSequence<byte>> s_bytes = Marshallers.Create(
            static (bytes, context) =>
            {
                using OwnedSequence<byte> sent = bytes;
                context.SetPayloadLength(checked((int)sent.Length));
                IBufferWriter<byte> output = context.GetBufferWriter();
                foreach (ReadOnlyMemory<byte> part in sent.Sequence)
                {
                    output.Write(part.Span);
                }

                context.Complete();
            },
            static context =>
            {
                using PooledMemoryStream received = new(capacity: context.PayloadLength);
                received.Write(context.PayloadAsReadOnlySequence());
                return received.Detach();
            });

        public static Method<OwnedSequence<byte>, OwnedSequence<byte>> Send { get; } =
            new(MethodType.Unary, "Echo", nameof(Answer), s_bytes, s_bytes);

        public abstract Task<OwnedSequence<byte>> Answer(OwnedSequence<byte> request, ServerCallContext context);

        public static void Bind(ServiceBinderBase binder, EchoService? service) =>
            binder.AddMethod(Send, service is null ? null! : service.Answer);
    }
    #endregion

    internal sealed class Echo : EchoService
    {
        public override Task<OwnedSequence<byte>> Answer(OwnedSequence<byte> request, ServerCallContext context) =>
            Task.FromResult(request);
    }
}

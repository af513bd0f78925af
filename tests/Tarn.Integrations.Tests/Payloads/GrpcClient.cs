using System.Net;
using Grpc.Core;
using Grpc.Net.Client;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Tarn.Integrations.Tests.Recipes;

namespace Tarn.Integrations.Tests.Payloads;

/// <summary>A call whose request and answer are both the message: each side of it reads one and writes one.</summary>
internal sealed class GrpcClient : PayloadClient
{
    private readonly WebApplication _server;
    private readonly GrpcChannel _channel;

    public GrpcClient()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(static kestrel =>
            kestrel.Listen(IPAddress.Loopback, 0, static endpoint => endpoint.Protocols = HttpProtocols.Http2));
        builder.Services.AddGrpc(static options => options.MaxReceiveMessageSize = null);
        _server = builder.Build();
        _server.MapGrpcService<GrpcRecipes.Echo>();
        _server.MapGrpcService<ArrayEcho>();
        _server.StartAsync().GetAwaiter().GetResult();
        _channel = GrpcChannel.ForAddress(_server.Urls.Single(), new GrpcChannelOptions { MaxReceiveMessageSize = null });
    }

    internal override async Task UsualAsync() =>
        AssertArrived(await _channel.CreateCallInvoker().AsyncUnaryCall(ArrayService.Send, host: null, default, Report));

    internal override async Task WithTarnAsync()
    {
        using PooledMemoryStream contents = new();
        contents.Write(Report);
        using OwnedSequence<byte> answer = await _channel.CreateCallInvoker()
            .AsyncUnaryCall(GrpcRecipes.EchoService.Send, host: null, default, contents.Detach());
        AssertArrived(answer.Sequence);
    }

    public override ValueTask DisposeAsync()
    {
        _channel.Dispose();
        return _server.DisposeAsync();
    }

    /// <summary>Messages are arrays, which the marshaller takes from the call.</summary>
    [BindServiceMethod(typeof(ArrayService), nameof(Bind))]
    internal abstract class ArrayService
    {
        private static readonly Marshaller<byte[]> s_bytes = Marshallers.Create(static bytes => bytes, static bytes => bytes);

        public static Method<byte[], byte[]> Send { get; } = new(MethodType.Unary, "Arrays", nameof(Answer), s_bytes, s_bytes);

        public abstract Task<byte[]> Answer(byte[] request, ServerCallContext context);

        public static void Bind(ServiceBinderBase binder, ArrayService? service) =>
            binder.AddMethod(Send, service is null ? null! : service.Answer);
    }

    private sealed class ArrayEcho : ArrayService
    {
        public override Task<byte[]> Answer(byte[] request, ServerCallContext context) => Task.FromResult(request);
    }
}

using MemoryPack;
using MessagePack;
using MessagePack.Resolvers;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization;

namespace Tarn.Integrations.Tests.Payloads;

/// <summary>An object of 5 MB is serialized.</summary>
internal sealed class MessagePackClient : PayloadClient
{
    private static readonly MessagePackSerializerOptions s_pooled = ContractlessStandardResolver.Options
        .WithPool(new SequencePool(Environment.ProcessorCount, BufferPool<byte>.Shared));

    internal override Task UsualAsync()
    {
        byte[] message = MessagePackSerializer.Serialize(Report, ContractlessStandardResolver.Options);
        Assert.InRange(message.Length, Report.Length, Report.Length + 9);
        return Task.CompletedTask;
    }

    internal override Task WithTarnAsync()
    {
        using SequenceBuilder<byte> message = new();
        MessagePackSerializer.Serialize(message, Report, s_pooled);
        Assert.InRange(message.Length, Report.Length, Report.Length + 9);
        return Task.CompletedTask;
    }

    public override ValueTask DisposeAsync() => ValueTask.CompletedTask;
}

internal sealed class MemoryPackClient : PayloadClient
{
    internal override Task UsualAsync()
    {
        byte[] message = MemoryPackSerializer.Serialize(Report);
        Assert.InRange(message.Length, Report.Length, Report.Length + 9);
        return Task.CompletedTask;
    }

    internal override Task WithTarnAsync()
    {
        using PooledWriter<byte> message = new();
        MemoryPackSerializer.Serialize(message, Report);
        Assert.InRange(message.WrittenCount, Report.Length, Report.Length + 9);
        return Task.CompletedTask;
    }

    public override ValueTask DisposeAsync() => ValueTask.CompletedTask;
}

internal sealed class OrleansClient : PayloadClient
{
    private readonly ServiceProvider _services = new ServiceCollection().AddSerializer().BuildServiceProvider();
    private readonly Serializer _serializer;

    public OrleansClient() => _serializer = _services.GetRequiredService<Serializer>();

    internal override Task UsualAsync()
    {
        byte[] message = _serializer.SerializeToArray(Report);
        Assert.InRange(message.Length, Report.Length, Report.Length + 40);
        return Task.CompletedTask;
    }

    internal override Task WithTarnAsync()
    {
        using PooledWriter<byte> message = new();
        _serializer.Serialize(Report, message);
        Assert.InRange(message.WrittenCount, Report.Length, Report.Length + 40);
        return Task.CompletedTask;
    }

    public override ValueTask DisposeAsync() => _services.DisposeAsync();
}

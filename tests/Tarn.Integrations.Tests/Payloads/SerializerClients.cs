using MemoryPack;
using MessagePack;
using MessagePack.Resolvers;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization;

namespace Tarn.Integrations.Tests.Payloads;

/// <summary>An object of 5 MB is serialized to an array, or to a sequence of pooled memory.</summary>
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

/// <summary>An object of 5 MB is serialized to an array, or to a writer over pooled memory.</summary>
/// <param name="framing">The most bytes that the format adds to the contents.</param>
internal abstract class WriterClient(int framing) : PayloadClient
{
    internal sealed override Task UsualAsync()
    {
        AssertWhole(Serialize().Length);
        return Task.CompletedTask;
    }

    internal sealed override Task WithTarnAsync()
    {
        using PooledWriter<byte> message = new();
        Serialize(message);
        AssertWhole(message.WrittenCount);
        return Task.CompletedTask;
    }

    protected abstract byte[] Serialize();

    protected abstract void Serialize(PooledWriter<byte> message);

    private void AssertWhole(long length) => Assert.InRange(length, Report.Length, Report.Length + framing);
}

internal sealed class MemoryPackClient() : WriterClient(framing: 9)
{
    public override ValueTask DisposeAsync() => ValueTask.CompletedTask;

    protected override byte[] Serialize() => MemoryPackSerializer.Serialize(Report);

    protected override void Serialize(PooledWriter<byte> message) => MemoryPackSerializer.Serialize(message, Report);
}

internal sealed class OrleansClient : WriterClient
{
    private readonly ServiceProvider _services = new ServiceCollection().AddSerializer().BuildServiceProvider();
    private readonly Serializer _serializer;

    public OrleansClient()
        : base(framing: 40) => _serializer = _services.GetRequiredService<Serializer>();

    public override ValueTask DisposeAsync() => _services.DisposeAsync();

    protected override byte[] Serialize() => _serializer.SerializeToArray(Report);

    protected override void Serialize(PooledWriter<byte> message) => _serializer.Serialize(Report, message);
}

using System.Buffers.Binary;
using System.Text;
using Microsoft.Diagnostics.NETCore.Client;

namespace Tarn.Traces;

/// <summary>A request to send events, as the diagnostics protocol has it.</summary>
internal sealed class TraceRequest
{
    private const uint NetTrace = 1;

    private readonly List<byte> _body = [];

    private TraceRequest(DiagnosticsCommand command, int bufferMegabytes)
    {
        Command = command;
        Write((uint)bufferMegabytes);
        Write(NetTrace);
    }

    internal DiagnosticsCommand Command { get; }

    internal ReadOnlySpan<byte> Body => _body.ToArray();

    /// <summary>Events with stacks.</summary>
    /// <param name="providers">The event sources.</param>
    /// <param name="withMethods">Whether the session lists the methods at its end.</param>
    /// <param name="bufferMegabytes">What the process may use for events that are not read yet.</param>
    internal static TraceRequest WithStacks(EventPipeProvider[] providers, bool withMethods, int bufferMegabytes)
    {
        var request = new TraceRequest(DiagnosticsCommand.CollectTracing2, bufferMegabytes);
        request._body.Add(withMethods ? (byte)1 : (byte)0);
        return request.Write(providers);
    }

    /// <summary>Events without stacks, and without a list of methods; from .NET 9 on.</summary>
    internal static TraceRequest WithoutStacks(EventPipeProvider[] providers, int bufferMegabytes)
    {
        var request = new TraceRequest(DiagnosticsCommand.CollectTracing3, bufferMegabytes);
        request._body.AddRange([0, 0]);
        return request.Write(providers);
    }

    private TraceRequest Write(EventPipeProvider[] providers)
    {
        Write((uint)providers.Length);
        foreach (EventPipeProvider provider in providers)
        {
            Write((uint)provider.Keywords);
            Write((uint)(provider.Keywords >> 32));
            Write((uint)provider.EventLevel);
            Write(provider.Name);
            Write(string.Join(';', provider.Arguments?.Select(one => $"{one.Key}={one.Value}") ?? []));
        }

        return this;
    }

    private void Write(uint value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(uint)];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
        _body.AddRange(bytes);
    }

    /// <summary>The length with the terminating zero, in characters, then UTF-16.</summary>
    private void Write(string text)
    {
        Write((uint)text.Length + 1);
        _body.AddRange(Encoding.Unicode.GetBytes(text + '\0'));
    }
}

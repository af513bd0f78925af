using System.Runtime.CompilerServices;
using System.Threading.Channels;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>A channel of one process for each reader, or one for all: each message is an array of its own, which all of them get.</summary>
internal readonly struct ChannelSender(Channel<byte[]>[] channels) : IMessageSender
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Send<TContents>(int length, ref TContents contents)
        where TContents : struct, IMessageContents
    {
        byte[] message = GC.AllocateUninitializedArray<byte>(length);
        contents.Write(message);
        foreach (Channel<byte[]> channel in channels)
        {
            while (!channel.Writer.TryWrite(message))
            {
                channel.Writer.WaitToWriteAsync().AsTask().GetAwaiter().GetResult();
            }
        }
    }
}

/// <summary>The other side.</summary>
internal readonly struct ChannelReceiver(Channel<byte[]> channel) : IMessageReceiver, IAwaitedReceiver
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Receive<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck
    {
        while (!TryReceive(ref check))
        {
            WaitAsync().AsTask().GetAwaiter().GetResult();
        }
    }

    public bool TryReceive<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck
    {
        bool isFound = channel.Reader.TryRead(out byte[]? message);
        if (isFound)
        {
            check.Take(message);
        }

        return isFound;
    }

    /// <summary>A method of its own as programs have them, whose state is reused.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask WaitAsync() => await channel.Reader.WaitToReadAsync().ConfigureAwait(false);
}

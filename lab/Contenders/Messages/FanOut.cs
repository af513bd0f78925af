namespace Tarn.Lab.Contenders.Messages;

/// <summary>A way for each reader: the program writes a message once, in memory of its own, and copies it to each way.</summary>
internal readonly struct FanOut<TSender>(TSender[] senders, int longest) : IMessageSender
    where TSender : struct, IMessageSender
{
    private readonly byte[] _message = new byte[longest];

    public void Send<TContents>(int length, ref TContents contents)
        where TContents : struct, IMessageContents
    {
        contents.Write(_message.AsSpan(0, length));
        CopiedContents copied = new(_message);
        for (int i = 0; i < senders.Length; i++)
        {
            senders[i].Send(length, ref copied);
        }
    }

    /// <summary>An end with these ways, or with the only one.</summary>
    public static MessageWriter CreateWriter(TSender[] senders, int longest, IReadOnlyList<IDisposable> owned) => senders is [var only]
        ? new MessageWriter<TSender>(only, owned)
        : new MessageWriter<FanOut<TSender>>(new FanOut<TSender>(senders, longest), owned);
}

namespace Tarn.Lab.Contenders.Messages;

/// <summary>What a program does with the messages it receives. Structs, so that the loops are compiled for each of them.</summary>
internal interface IMessageCheck
{
    /// <summary>How many messages are still to come.</summary>
    int Left { get; }

    /// <summary>Reads and verifies a message, which is valid during this call.</summary>
    /// <exception cref="InvalidDataException">A message is missing, torn, or came twice.</exception>
    void Take(ReadOnlySpan<byte> message);

    /// <summary>The message was passed: the way has its room again.</summary>
    void Passed();
}

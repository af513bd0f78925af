namespace Tarn.Lab.Contenders.Messages;

/// <summary>
/// The sending side of one contender. The program writes its bytes where <see cref="Begin"/> says, so that contenders that can take them
/// there need no copy. Structs, so that the loops are compiled for each of them.
/// </summary>
internal interface IMessageSender
{
    /// <summary>Returns the room for the bytes of the next message, with old contents.</summary>
    Span<byte> Begin(int length);

    /// <summary>Sends the message. It is on its way when this returns, and does not wait for others.</summary>
    void End();
}

namespace Tarn.Lab.Contenders.Messages;

/// <summary>
/// The sending side of one contender. The program writes its bytes where <see cref="Begin"/> says, so that contenders that can take them
/// there need no copy. Structs, so that the loops are compiled for each of them.
/// </summary>
internal interface IMessageSender
{
    /// <summary>Where the bytes of the next message go; contents are left from before.</summary>
    Span<byte> Begin(int length);

    /// <summary>Sends it: it is on its way when this returns, and does not wait for others to go with it.</summary>
    void End();
}

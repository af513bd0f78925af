namespace Tarn.Lab.Contenders.Messages;

/// <summary>
/// The sending side of one contender. Structs, so that the loops are compiled for each of them; the program writes its bytes where the
/// contender says, so that contenders that can take them there need no copy.
/// </summary>
internal interface IMessageSender
{
    /// <summary>
    /// Sends a message, once there is room. It is on its way when this returns, and does not wait for others.
    /// </summary>
    /// <param name="length">Its bytes.</param>
    /// <param name="contents">Writes them.</param>
    void Send<TContents>(int length, ref TContents contents)
        where TContents : struct, IMessageContents;
}

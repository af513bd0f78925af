namespace Tarn.Lab.Contenders.Messages;

/// <summary>The receiving side of one contender, whose calls wait.</summary>
internal interface IMessageReceiver
{
    /// <summary>Waits for the next message, has it checked where it lies, and passes it.</summary>
    void Receive<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck;
}

namespace Tarn.Lab.Contenders.Messages;

/// <summary>The receiving side of one contender, whose waits are those of tasks.</summary>
internal interface IAwaitedReceiver
{
    /// <summary>Has the next message checked and passes it; false if there is none.</summary>
    bool TryReceive<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck;

    /// <summary>Waits for a message without a thread.</summary>
    ValueTask WaitAsync();
}

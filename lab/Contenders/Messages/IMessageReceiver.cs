namespace Tarn.Lab.Contenders.Messages;

/// <summary>The receiving side of one contender.</summary>
internal interface IMessageReceiver
{
    /// <summary>Waits for and returns the next message, which is valid until <see cref="End"/>.</summary>
    ReadOnlySpan<byte> Begin();

    /// <summary>The program has finished with the message.</summary>
    void End();
}

namespace Tarn.Lab.Contenders.Messages;

/// <summary>The receiving side of one contender.</summary>
internal interface IMessageReceiver
{
    /// <summary>The next message, waited for; valid until <see cref="End"/>.</summary>
    ReadOnlySpan<byte> Begin();

    /// <summary>The program has done with it.</summary>
    void End();
}

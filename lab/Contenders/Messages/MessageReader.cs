namespace Tarn.Lab.Contenders.Messages;

/// <summary>The receiving end of one thread.</summary>
internal abstract class MessageReader(IReadOnlyList<IDisposable> owned) : IDisposable
{
    /// <summary>Receives messages until none is left to check.</summary>
    /// <exception cref="InvalidDataException">A message is missing, torn, or came twice.</exception>
    public abstract void Read<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck;

    public virtual void Dispose()
    {
        foreach (IDisposable one in owned)
        {
            one.Dispose();
        }
    }
}

/// <summary>Calls that wait.</summary>
/// <param name="receiver">The way from the writers.</param>
/// <param name="owned">What it needs, disposed with the end.</param>
internal sealed class BlockingReader<TReceiver>(TReceiver receiver, params IReadOnlyList<IDisposable> owned) : MessageReader(owned)
    where TReceiver : struct, IMessageReceiver
{
    private TReceiver _receiver = receiver;

    public override void Read<TCheck>(ref TCheck check)
    {
        // In locals, which the loop can keep in registers.
        ref TReceiver receiver = ref _receiver;
        TCheck local = check;
        while (local.Left > 0)
        {
            receiver.Receive(ref local);
            local.Passed();
        }

        check = local;
    }
}

/// <summary>A task that awaits, as programs have them.</summary>
/// <inheritdoc cref="BlockingReader{TReceiver}"/>
internal sealed class AwaitedReader<TReceiver>(TReceiver receiver, params IReadOnlyList<IDisposable> owned) : MessageReader(owned)
    where TReceiver : struct, IAwaitedReceiver
{
    public override void Read<TCheck>(ref TCheck check) => check = ReadAsync(check).GetAwaiter().GetResult();

    private async Task<TCheck> ReadAsync<TCheck>(TCheck check)
        where TCheck : struct, IMessageCheck
    {
        while (check.Left > 0)
        {
            if (receiver.TryReceive(ref check))
            {
                check.Passed();
            }
            else
            {
                await receiver.WaitAsync().ConfigureAwait(false);
            }
        }

        return check;
    }
}

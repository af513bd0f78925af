using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>The other process, from this one's point of view, with this one's ends of the contenders.</summary>
internal sealed class MessagePeer : IDisposable
{
    private readonly MessageRoute[] _routes;
    private readonly ChildConversation _child;
    private readonly MessageEnd[] _ends;

    /// <param name="contenders">Of <see cref="MessageNames"/>.</param>
    /// <exception cref="InvalidOperationException">The other process cannot be started; the message contains its output.</exception>
    public MessagePeer(params IEnumerable<string> contenders)
    {
        _routes = [.. contenders.Select(MessageRoute.Create)];
        _child = new ChildConversation(MessageJob.JobName, _routes.SelectMany(route => (string[])[route.Name, route.Address]));
        try
        {
            _child.Hear();
            _ends = [.. _routes.Select(route => route.Connect())];
        }
        catch
        {
            _ends = [];
            Dispose();
            throw;
        }
    }

    public IReadOnlyList<string> Contenders => [.. _routes.Select(route => route.Name)];

    /// <summary>Makes the other process do its part of a task, and does this process's part.</summary>
    /// <returns>The other process's result.</returns>
    /// <exception cref="InvalidOperationException">The other process failed; the message contains its output.</exception>
    /// <exception cref="InvalidDataException">A message was lost, out of order, or different.</exception>
    public string Do(MessageTask task, Action<MessageEnd> part)
    {
        string told = "";
        ThreadPlacement.Run(MessageTask.OwnProcessor, () =>
        {
            _child.Tell(task.ToString());
            _child.Hear();
            _child.Do(() => part(_ends[task.Contender]));
            told = _child.Hear();
        });
        return told;
    }

    public void Dispose()
    {
        // The other process may still wait for a message; this ends its wait.
        foreach (IDisposable one in (IEnumerable<IDisposable>)[.. _ends, .. _routes])
        {
            one.Dispose();
        }

        _child.Dispose();
    }
}

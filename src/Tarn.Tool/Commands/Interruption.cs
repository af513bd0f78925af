using System.Runtime.InteropServices;

namespace Tarn.Tool.Commands;

/// <summary>
/// Turns Ctrl+C, a request to terminate and the loss of the output into a cancellation, so that a recording is written and the process left
/// as it was.
/// </summary>
internal sealed class Interruption : IDisposable
{
    private readonly CancellationTokenSource _source = CancellationTokenSource.CreateLinkedTokenSource(Terminal.OutputEnded);
    private readonly PosixSignalRegistration[] _registrations;

    public Interruption() => _registrations =
    [
        PosixSignalRegistration.Create(PosixSignal.SIGINT, Cancel), PosixSignalRegistration.Create(PosixSignal.SIGTERM, Cancel),
    ];

    public CancellationToken Token => _source.Token;

    public void Dispose()
    {
        foreach (PosixSignalRegistration registration in _registrations)
        {
            registration.Dispose();
        }

        _source.Dispose();
    }

    /// <summary>The second signal ends tarn at once.</summary>
    private void Cancel(PosixSignalContext context)
    {
        context.Cancel = !_source.IsCancellationRequested;
        _source.Cancel();
    }
}

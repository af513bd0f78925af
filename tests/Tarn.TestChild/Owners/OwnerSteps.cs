using System.Diagnostics.Tracing;

namespace Tarn.TestChild.Owners;

/// <summary>
/// Calls each member of an owner and disposes the owner at one of the moments at which the member takes or returns memory, for each of
/// these moments in turn: what a race meets by chance.
/// </summary>
internal sealed class OwnerSteps : EventListener
{
    private IDisposable? _owner;
    private int _left;

    /// <summary>Returns what went wrong first, if anything did.</summary>
    internal IEnumerable<string> Run(RacedOwner owner, OwnerMember member)
    {
        using OwnerMemory memory = new(isChecked: false, keepsMemory: true);
        for (int step = 0; ; step++)
        {
            IDisposable created = owner.Create(memory, new Random(step));
            (_owner, _left) = (created, step);
            string? violation = Call(member, memory, created);
            bool wasDisposed = _owner is null;
            _owner = null;
            created.Dispose();
            violation ??= memory.FindLoss(step + 1);
            if (violation is not null)
            {
                return [$"{member.Name} of a {owner.Name}, disposed at moment {step}: {violation}"];
            }

            if (!wasDisposed)
            {
                return [];
            }
        }
    }

    /// <inheritdoc/>
    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == BufferDiagnostics.EventSourceName)
        {
            EnableEvents(eventSource, EventLevel.Verbose, EventKeywords.All);
        }
    }

    /// <inheritdoc/>
    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        if (_owner is { } owner && _left-- == 0)
        {
            _owner = null;
            owner.Dispose();
        }
    }

    private static string? Call(OwnerMember member, OwnerMemory memory, IDisposable owner)
    {
        try
        {
            member.Call(owner, memory);
        }
        catch (ObjectDisposedException)
        {
        }
#pragma warning disable CA1031 // any other exception is a finding
        catch (Exception e)
#pragma warning restore CA1031
        {
            return $"throws {e}";
        }

        return null;
    }
}

using System.Diagnostics.CodeAnalysis;

namespace Tarn.SharedMemory;

/// <summary>The writers or the readers of a queue in this process, as they wait.</summary>
/// <remarks>
/// Any number of threads may wait at one side, and so may other processes on the same words. So none clears the note that somebody sleeps,
/// except who wakes them all.
/// </remarks>
internal sealed unsafe class QueueSide(SharedQueue queue, bool isWriter, Sleeper* sleeper, SharedSignal signal)
    : MessageSide(sleeper, signal)
{
    /// <summary>After so many lost races, a read looks whether it is late: a process that lies can have it lose any number.</summary>
    private const int MostRaces = 1000;

    private LookClock _looks;

    internal override bool GoesOnInline => queue.AllowSynchronousContinuations;

    /// <inheritdoc/>
    internal override void Leave() => queue.Calls.Leave();

    /// <inheritdoc/>
    internal override bool Pass(long position, int length)
    {
        queue.Enter();
        bool isPassed = queue.Slots.TryPass(position);
        Leave();
        return isPassed ? true : throw NotReading();
    }

    /// <inheritdoc/>
    internal override void GiveBack(long position)
    {
        if (queue.Calls.TryEnter())
        {
            queue.Slots.TryReturn(position);
            Leave();
        }
    }

    /// <inheritdoc/>
    internal override void Publish(long position, int length)
    {
        queue.Enter();
        bool isPublished = queue.Slots.TryPublish(position, length);
        Leave();
        if (!isPublished)
        {
            throw NotWriting();
        }
    }

    /// <inheritdoc/>
    internal override void GiveUp(long position)
    {
        if (queue.Calls.TryEnter())
        {
            queue.Slots.TrySkip(position);
            Leave();
        }
    }

    /// <inheritdoc/>
    internal override void NoteAwake()
    {
    }

    /// <inheritdoc/>
    internal override void ThrowIfOver(long limit, long start, CancellationToken cancellationToken)
    {
        if (queue.Calls.IsClosing)
        {
            throw new ObjectDisposedException(nameof(SharedQueue), $"The queue \"{queue.Name}\" was disposed while this call waited.");
        }

        cancellationToken.ThrowIfCancellationRequested();
        LookIfTime();
    }

    /// <summary>Claims a position for a message; waits for room. The call is inside.</summary>
    /// <returns>False if there was no room until the deadline.</returns>
    /// <inheritdoc cref="WaitingSide.ThrowIfOver" path="/exception"/>
    internal bool TryClaim(long deadline, CancellationToken cancellationToken, out long position)
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (!queue.Slots.TryClaim(out position))
        {
            if (!MayTryAgain(deadline, cancellationToken))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Takes the next message; waits for one. The call is inside.</summary>
    /// <returns>False if there was none until the deadline.</returns>
    /// <exception cref="ArgumentException">The message is longer than <paramref name="longest"/>, and remains.</exception>
    /// <inheritdoc cref="WaitingSide.ThrowIfOver" path="/exception"/>
    internal bool TryTake(int longest, long deadline, CancellationToken cancellationToken, out long position, out int length)
    {
        cancellationToken.ThrowIfCancellationRequested();
        for (int races = 1; ; races++)
        {
            if (!queue.Slots.TryFind(out position, out SlotWord seen) || races % MostRaces == 0)
            {
                if (!MayTryAgain(deadline, cancellationToken))
                {
                    length = 0;
                    return false;
                }
            }
            else if (queue.Slots.LengthOf(position, seen) is { } found)
            {
                length = found <= longest ? found : ThrowTooShort(found, longest);
                if (queue.Slots.TryTake(position, seen))
                {
                    return true;
                }
            }
        }
    }

    /// <summary>Waits, without a thread, until something may have come. The call is inside until the task ends.</summary>
    internal ValueTask WaitAsync(CancellationToken cancellationToken) => SleepAsync(0, cancellationToken);

    /// <inheritdoc/>
    protected override bool HasCome(long limit) => isWriter ? queue.Slots.HasRoom() : queue.Slots.TryFind(out _, out _);

    /// <inheritdoc/>
    protected override bool MaySleep() => !queue.Calls.IsClosing;

    /// <summary>Waits until something may have come. A call that is not to wait looks for members that are gone.</summary>
    /// <returns>False if it is late, and the call over.</returns>
    private bool MayTryAgain(long deadline, CancellationToken cancellationToken)
    {
        if (deadline == Deadline.Now)
        {
            LookIfTime();
            return false;
        }

        return TryWait(0, deadline, cancellationToken);
    }

    /// <summary>Looks for members whose processes are gone, ten times a second at most.</summary>
    private void LookIfTime()
    {
        if (_looks.IsTime())
        {
            queue.Members.Look(isWriter ? queue.Slots.WritersWaitFor() : queue.Slots.ReadersWaitFor(), queue.Slots);
        }
    }

    [DoesNotReturn]
    private static int ThrowTooShort(int length, int destination) => throw new ArgumentException(
        $"The message has {length} bytes, and the destination {destination}. It remains unread: pass a larger buffer.",
        nameof(destination));
}

using System.Diagnostics;

namespace Tarn.TestChild.Owners;

/// <summary>Calls one member of an owner on one thread until it fails, while another thread disposes the owner, twice.</summary>
/// <remarks>
/// The call must end with <see cref="ObjectDisposedException"/> or complete, with right contents. All memory and all bytes of the budget
/// must go back once, and native memory that another owner got stays as it is. An access violation ends the process.
/// </remarks>
internal sealed class OwnerRace(RacedOwner owner, OwnerMember member, OwnerMemory memory)
{
    /// <summary>The calls that may follow a Dispose before one must have failed.</summary>
    private const int MostCalls = 100_000;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    private readonly Random _random = new(7);
    private volatile Entry? _raced;
    private volatile bool _hasEnded;
    private volatile string? _violation;

    internal int Races { get; private set; }

    /// <summary>Races until the time is over, and returns what went wrong, or null.</summary>
    internal string? Run(TimeSpan duration)
    {
        Thread caller = new(CallUntilEnd) { IsBackground = true };
        caller.Start();
        Stopwatch watch = Stopwatch.StartNew();
        do
        {
            RaceOnce();
            Races++;
        }
        while (watch.Elapsed < duration && _violation is null);

        _hasEnded = true;
        caller.Join(s_patience);
        return (_violation ?? memory.FindLoss(Races)) is { } found ? $"{member.Name} of a {owner.Name}: {found}" : null;
    }

    private void RaceOnce()
    {
        Entry raced = new(owner.Create(memory, _random));
        _raced = raced;
        Thread.SpinWait(_random.Next(_random.Next(4) == 0 ? 5000 : 200));
        try
        {
            raced.Owner.Dispose();
            raced.IsDisposed = true;
            raced.Owner.Dispose();
        }
#pragma warning disable CA1031 // any exception is a finding
        catch (Exception e)
#pragma warning restore CA1031
        {
            raced.IsDisposed = true;
            _violation = $"Dispose throws {e}";
        }

        bool isThorough = Races % 8 == 0;
        NativeBuffer<byte>[] reused = isThorough ? memory.Reuse() : [];
        _ = isThorough ? memory.Heap.Trim() : 0;
        if (!HasEnded(raced))
        {
            _violation = "does not end after Dispose.";
        }
        else if (!OwnerMemory.AreUntouched(reused))
        {
            _violation = "wrote to memory that another owner had by then.";
        }

        Array.ForEach(reused, static buffer => ((IDisposable)buffer).Dispose());
    }

    private static bool HasEnded(Entry raced)
    {
        for (int spins = 0; spins < 1000; spins++)
        {
            if (raced.IsDone)
            {
                return true;
            }

            Thread.SpinWait(20);
        }

        return SpinWait.SpinUntil(() => raced.IsDone, s_patience);
    }

    private void CallUntilEnd()
    {
        Entry? last = null;
        while (!_hasEnded)
        {
            if (_raced is { } raced && raced != last)
            {
                last = raced;
                Call(raced);
                raced.IsDone = true;
            }
            else
            {
                Thread.SpinWait(10);
            }
        }
    }

    private void Call(Entry raced)
    {
        int late = 0;
        try
        {
            while (late < MostCalls)
            {
                late += raced.IsDisposed ? 1 : 0;
                member.Call(raced.Owner, memory);
                if (late > 0 && member.Outlives)
                {
                    return;
                }
            }

            _violation = "never throws after Dispose.";
        }
        catch (ObjectDisposedException)
        {
        }
#pragma warning disable CA1031 // any other exception is a finding
        catch (Exception e)
#pragma warning restore CA1031
        {
            _violation = $"throws {e}";
        }
    }

    private sealed class Entry(IDisposable owner)
    {
        internal volatile bool IsDisposed;
        internal volatile bool IsDone;

        internal IDisposable Owner => owner;
    }
}

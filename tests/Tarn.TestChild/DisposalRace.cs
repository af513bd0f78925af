using System.Diagnostics;

namespace Tarn.TestChild;

/// <summary>Calls one member of a stream on one thread until it fails, while another thread disposes the stream.</summary>
/// <remarks>
/// The call must end with <see cref="ObjectDisposedException"/>, the memory must go back once, and where another stream gets it, native
/// contents of that stream stay as they are. An access violation ends the process.
/// </remarks>
internal sealed class DisposalRace(RacedMemory memory, RacedMember member, bool reuses)
{
    /// <summary>The calls that may follow a Dispose before one must have failed.</summary>
    private const int MostCalls = 100_000;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    private readonly Random _random = new(7);
    private volatile RacedStream? _raced;
    private volatile bool _hasEnded;
    private volatile string? _violation;
    private int _done;

    internal int Races { get; private set; }

    /// <summary>Races until the time is over, and returns what went wrong, or null.</summary>
    internal string? Run(TimeSpan duration)
    {
        Thread caller = new(CallUntilEnd) { IsBackground = true };
        caller.Start();
        Stopwatch watch = Stopwatch.StartNew();
        while (watch.Elapsed < duration && _violation is null)
        {
            RaceOnce();
            Races++;
        }

        _hasEnded = true;
        caller.Join(s_patience);
        return _violation ?? memory.FindLoss(Races);
    }

    private void RaceOnce()
    {
        using RacedStream raced = memory.CreateStream(member, _random);
        Volatile.Write(ref _done, 0);
        _raced = raced;
        Thread.SpinWait(_random.Next(_random.Next(4) == 0 ? 5000 : 200));
        raced.Dispose();
        raced.IsDisposed = true;
        using PooledMemoryStream? next = reuses ? memory.CreateNext() : null;
        memory.Trim();
        if (!SpinWait.SpinUntil(() => Volatile.Read(ref _done) != 0, s_patience))
        {
            _violation = $"{member.Name} on {memory.Name} does not end after Dispose.";
        }
        else if (next is not null && memory.FindForeignByte(next) is { } position)
        {
            _violation = $"{member.Name} on {memory.Name} wrote to another stream's byte {position}.";
        }
    }

    private void CallUntilEnd()
    {
        RacedStream? last = null;
        while (!_hasEnded)
        {
            RacedStream? raced = _raced;
            if (raced is null || ReferenceEquals(raced, last))
            {
                continue;
            }

            last = raced;
            Call(raced);
            Volatile.Write(ref _done, 1);
        }
    }

    private void Call(RacedStream raced)
    {
        int late = 0;
        try
        {
            while (late < MostCalls)
            {
                late += raced.IsDisposed ? 1 : 0;
                member.Call(raced);
                if (late > 0 && member.Outlives)
                {
                    return;
                }
            }

            _violation = $"{member.Name} on {memory.Name} never throws after Dispose.";
        }
        catch (ObjectDisposedException)
        {
        }
#pragma warning disable CA1031 // any other exception is a finding
        catch (Exception e)
#pragma warning restore CA1031
        {
            _violation = $"{member.Name} on {memory.Name} throws {e}";
        }
    }
}

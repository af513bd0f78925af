using System.Diagnostics;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed;

/// <summary>
/// One kind of owner, new for each race: one thread calls a member of it until that throws, another disposes it, twice. The member
/// completes or throws <see cref="ObjectDisposedException"/>, nothing is lost, and nothing is written where another owner is.
/// </summary>
internal sealed class DisposalRaces(RacedKind kind, int seed)
{
    private const int MostLateCalls = 3;
    private const int MostSpins = 3_000;
    private const int StampedLength = 1_000;

    /// <summary>Only a call that hangs takes that long.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private readonly Random _random = new(seed);
    private RacedOwner? _owner;
    private volatile bool _isDisposed;
    private volatile bool _isDone;
    private volatile bool _isOver;
    private string? _finding;

    /// <summary>Races until the time is up; at least once.</summary>
    /// <returns>The number of races.</returns>
    /// <exception cref="FindingException">A member threw another exception, something was lost, or a call hangs.</exception>
    internal long Run(TimeSpan duration)
    {
        using RaceCompany company = new();
        Thread caller = new(CallUntilOver) { IsBackground = true };
        caller.Start();
        long races = 0;
        try
        {
            Stopwatch elapsed = Stopwatch.StartNew();
            do
            {
                Race(company, ++races);
            }
            while (elapsed.Elapsed < duration);
        }
        finally
        {
            _isOver = true;
        }

        caller.Join();
        return races;
    }

    private void Race(RaceCompany company, long races)
    {
        RacedOwner owner = kind.Create(company);
        (_isDisposed, _isDone) = (false, false);
        Volatile.Write(ref _owner, owner);
        Thread.SpinWait(_random.Next(_random.Next(4) == 0 ? MostSpins : MostSpins / 20));
        owner.Dispose();
        _isDisposed = true;
        byte[] next = company.Pool.Rent(StampedLength);
        Array.Fill(next, (byte)races);
        owner.Dispose();
        Require.That(SpinWait.SpinUntil(() => _isDone, s_patience), $"{kind.Name} beside the disposal does not end.");
        Require.That(_finding is null, _finding ?? "");
        Require.That(
            !next.AsSpan().ContainsAnyExcept((byte)races), $"After {races} races, {kind.Name} wrote to an array that another owner has.");
        company.Pool.Return(next);
        owner.VerifyEnd?.Invoke();
        company.Verify(kind.Name, races);
    }

    private void CallUntilOver()
    {
        RacedOwner? last = null;
        SpinWait spin = default;
        while (!_isOver)
        {
            RacedOwner? owner = Volatile.Read(ref _owner);
            if (owner is null || ReferenceEquals(owner, last))
            {
                spin.SpinOnce(sleep1Threshold: -1);
                continue;
            }

            last = owner;
            Call(owner.Call);
            _isDone = true;
        }
    }

    /// <summary>Calls until it throws. A call that begins after the disposal must, unless the kind allows such calls.</summary>
    private void Call(Action call)
    {
        try
        {
            for (int late = 0; late < MostLateCalls; late += _isDisposed ? 1 : 0)
            {
                MakeWhereThereIsRoom(call);
            }

            _finding ??= kind.EndsByItself ? null : $"{kind.Name} does not throw after the disposal.";
        }
        catch (ObjectDisposedException)
        {
        }
#pragma warning disable CA1031 // any other exception is a finding
        catch (Exception e)
#pragma warning restore CA1031
        {
            _finding ??= $"{kind.Name} beside the disposal threw {e}";
        }
    }

    /// <summary>On a busy machine, calls go on until the budget is used up before the other thread disposes the owner.</summary>
    private static void MakeWhereThereIsRoom(Action call)
    {
        try
        {
            call();
        }
        catch (BufferBudgetExceededException)
        {
            Thread.Yield();
        }
    }
}

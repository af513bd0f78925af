namespace Tarn.Tests.Model;

/// <summary>One program of <see cref="HoldAndWaitTests"/>: few owners, few bytes, so that most steps matter.</summary>
internal sealed class HoldAndWaitProgram
{
    private const int Owners = 6;
    private const int Steps = 30;

    private readonly Random _random;
    private readonly List<BufferBudget> _budgets = [];
    private readonly Owner[] _owners;

    internal HoldAndWaitProgram(Random random)
    {
        _random = random;
        _budgets.Add(new BufferBudget(random.Next(4, 12)));
        for (int children = random.Next(4); children > 0; children--)
        {
            _budgets.Add(_budgets[random.Next(_budgets.Count)].CreateChild(random.Next(2, 12)));
        }

        _owners = [.. Enumerable.Range(0, Owners).Select(_ => new Owner(_budgets[random.Next(_budgets.Count)], random.Next(4) > 0))];
    }

    /// <summary>The requests that were refused because nothing would have served them.</summary>
    internal int Deadlocks { get; private set; }

    /// <summary>The requests that were granted while an older one to the same budget waits.</summary>
    internal int Passed { get; private set; }

    internal void Run()
    {
        for (int step = 0; step < Steps; step++)
        {
            Step(_owners[_random.Next(Owners)]);
            Settle();
        }

        while (Array.Exists(_owners, static owner => !owner.Waits && owner.Held > 0))
        {
            Array.Find(_owners, static owner => !owner.Waits && owner.Held > 0)!.ReturnAll();
            Settle();
        }

        Assert.DoesNotContain(_owners, static owner => owner.Waits);
        Assert.All(_budgets, static budget => Assert.Equal((0, 0), (budget.InUse, budget.Waiting)));
    }

    private void Step(Owner owner)
    {
        switch (_random.Next(8))
        {
            case 0 when owner.Waits:
                owner.Cancel();
                break;
            case 1 when owner.Waits:
                owner.Leave();
                break;
            case < 6 when !owner.Waits:
                owner.Ask(_random.Next(1, 6), _random.Next());
                break;
            default:
                if (!owner.Waits && owner.Held > 0)
                {
                    owner.Return(_random.NextInt64(1, owner.Held + 1));
                }

                break;
        }
    }

    /// <summary>Looks at what became of each wait.</summary>
    private void Settle()
    {
        Owner[] waited = [.. _owners.Where(static owner => owner.Waits)];
        Owner[] refused = [.. waited.Where(static owner => owner.IsDeadlocked)];
        if (refused.Length == 1 && waited.Count(static owner => owner.IsOver) == 1 && _budgets.Count == 1)
        {
            VerifyInVain(waited);
        }

        Deadlocks += refused.Length;
        foreach (Owner owner in waited.Where(static owner => owner.IsOver))
        {
            bool hasPassed = owner.IsGranted
                && waited.Any(other => !other.IsOver && other.Budget == owner.Budget && other.Asked < owner.Asked);
            Passed += hasPassed ? 1 : 0;
            owner.Settle();
        }

        foreach (BufferBudget budget in _budgets)
        {
            Assert.InRange(budget.InUse, _owners.Where(owner => owner.IsUnder(budget)).Sum(static owner => owner.Held), budget.Limit);
        }
    }

    /// <summary>
    /// With one budget, and if nothing else came of the step, a refusal is right if no owner that holds bytes would fit into what those
    /// that wait leave.
    /// </summary>
    private void VerifyInVain(Owner[] waited)
    {
        long room = _budgets[0].Limit - waited.Where(static owner => owner.IsKnown).Sum(static owner => owner.Held);
        Assert.DoesNotContain(waited, owner => owner.IsKnown && owner.Held > 0 && owner.Bytes <= room);
    }

    /// <summary>Somebody that takes bytes one after the other, and is known to the budget or not.</summary>
#pragma warning disable CA1001 // each request disposes what cancels it
    private sealed class Owner(BufferBudget budget, bool isKnown)
#pragma warning restore CA1001
    {
        private static long s_requests;
        private BudgetHolder _holder = new(budget, "owner");
        private CancellationTokenSource? _cancellation;
        private Task? _task;

        internal BufferBudget Budget => budget;

        /// <summary>Whether the budget knows what it holds. Of the others it must not assume that they wait for what they hold.</summary>
        internal bool IsKnown => isKnown;

        internal long Held { get; private set; }

        internal long Bytes { get; private set; }

        internal long Asked { get; private set; }

        internal bool Waits => _task is not null;

        internal bool IsOver => _task is { IsCompleted: true };

        internal bool IsGranted => _task is { IsCompletedSuccessfully: true };

        internal bool IsDeadlocked =>
            _task?.Exception?.InnerException is BufferBudgetExceededException { IsDeadlock: true };

        internal bool IsUnder(BufferBudget parent)
        {
            BufferBudget? node = budget;
            while (node is not null && node != parent)
            {
                node = node.Parent;
            }

            return node is not null;
        }

        internal void Ask(int bytes, int seed)
        {
            // What an unknown owner holds it must not hold while it waits, or nothing could end the wait.
            if (!isKnown)
            {
                ReturnAll();
            }

            Bytes = bytes;
            Asked = ++s_requests;
            _cancellation = new CancellationTokenSource();
            BudgetTerms terms = new()
            {
                Timeout = Timeout.InfiniteTimeSpan,
                Cancellation = seed % 2 == 0 ? _cancellation.Token : default,
                OwnerCancellation = seed % 2 == 0 ? default : _cancellation.Token,
                Holder = isKnown ? _holder : null,
                Held = isKnown ? Held : 0,
            };
            _task = budget.TakeAsync(bytes, terms).AsTask();
        }

        internal void Cancel()
        {
            _cancellation!.Cancel();
            Assert.True(IsOver);
        }

        /// <summary>Ends its wait with itself.</summary>
        internal void Leave()
        {
            if (isKnown)
            {
                _holder.End();
                Assert.True(_task!.IsCompletedSuccessfully || _task.Exception is not null);
                _holder = new BudgetHolder(budget, "owner");
            }
        }

        internal void Settle()
        {
            Held += _task!.IsCompletedSuccessfully ? Bytes : 0;
            bool exceeds = _task.Exception?.InnerException is BufferBudgetExceededException { ExceedsLimit: true };
            Assert.True(!exceeds || Bytes + Held > budget.LeastLimit);
            _cancellation!.Dispose();
            _task = null;
        }

        internal void Return(long bytes)
        {
            Held -= bytes;
            budget.Return(bytes);
        }

        internal void ReturnAll() => Return(Held);
    }
}

using Tarn.Tests.Support;
using Tarn.Torture.Composed;

namespace Tarn.Tests.Model;

/// <summary>Random programs over a tree of budgets, beside <see cref="BudgetModel"/>.</summary>
public sealed class BudgetProgramTests
{
    private static readonly int s_steps = RandomProgram.Steps(perSecond: 20_000);

    public static TheoryData<int> Seeds => RandomProgram.Seeds(known: 4);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void A_tree_of_budgets_grants_what_its_model_grants(int seed) =>
        RandomProgram.Run(seed, () => new Program(new Random(seed)).Run(s_steps));

    private sealed class Program
    {
        private readonly Random _random;
        private readonly List<(BufferBudget Budget, BudgetModel Model)> _budgets = [];
        private readonly List<(int Budget, long Bytes)> _taken = [];
        private readonly List<Waiting> _waiting = [];

        internal Program(Random random)
        {
            _random = random;
            _budgets.Add((new BufferBudget(1_000), new BudgetModel(1_000, null)));
            while (_budgets.Count < 6)
            {
                (BufferBudget parent, BudgetModel model) = _budgets[random.Next(_budgets.Count)];
                long limit = random.Next(100, 1_200);
                _budgets.Add((parent.CreateChild(limit), new BudgetModel(limit, model)));
            }
        }

        internal void Run(int steps)
        {
            for (int step = 0; step < steps; step++)
            {
                Step();
                Verify();
            }

            while (_taken.Count + _waiting.Count > 0)
            {
                ReturnOne();
                Verify();
            }

            Assert.All(_budgets, static pair => Assert.Equal((0, 0), (pair.Budget.InUse, pair.Budget.Waiting)));
        }

        private void Step()
        {
            int index = _random.Next(_budgets.Count);
            (BufferBudget budget, BudgetModel model) = _budgets[index];
            long bytes = _random.Next(10) == 0 ? _random.Next(1_300) : _random.Next(120);
            switch (_random.Next(8))
            {
                case 0:
                    bool isTaken = budget.TryTake(bytes);
                    Assert.Equal(model.TryTake(bytes), isTaken);
                    if (isTaken)
                    {
                        _taken.Add((index, bytes));
                    }

                    break;
                case < 4 when _waiting.Count < 30:
                    Ask(index, bytes);
                    break;
                case 4 when _waiting.Count > 0:
                    Cancel(_waiting[_random.Next(_waiting.Count)]);
                    break;
                default:
                    ReturnOne();
                    break;
            }
        }

        private void Ask(int index, long bytes)
        {
            CancellationTokenSource source = new();
            Task task = _budgets[index].Budget.TakeAsync(bytes, source.Token).AsTask();
            if (bytes == 0 || _budgets[index].Model.Ask(bytes) is not { } request)
            {
                Assert.Equal(bytes == 0, task.IsCompletedSuccessfully);
                Assert.True(bytes == 0 || task.Exception!.InnerException is BufferBudgetExceededException);
                source.Dispose();
                return;
            }

            _waiting.Add(new Waiting(index, request, task, source));
        }

        private void Cancel(Waiting waiting)
        {
            waiting.Source.Cancel();
            _budgets[waiting.Index].Model.Withdraw(waiting.Request);
            Assert.True(waiting.Task.IsCanceled);
            waiting.Source.Dispose();
            _waiting.Remove(waiting);
        }

        private void ReturnOne()
        {
            if (_taken.Count == 0)
            {
                return;
            }

            int at = _random.Next(_taken.Count);
            (int index, long bytes) = _taken[at];
            long part = _random.Next(4) == 0 ? _random.NextInt64(bytes + 1) : bytes;
            _budgets[index].Budget.Return(part);
            _budgets[index].Model.Return(part);
            _taken.RemoveAt(at);
            if (part < bytes)
            {
                _taken.Add((index, bytes - part));
            }
        }

        private void Verify()
        {
            foreach (Waiting waiting in _waiting.ToArray())
            {
                Assert.Equal(waiting.Request.IsGranted, waiting.Task.IsCompletedSuccessfully);
                if (waiting.Request.IsGranted)
                {
                    _waiting.Remove(waiting);
                    _taken.Add((waiting.Index, waiting.Request.Bytes));
                    waiting.Source.Dispose();
                }
            }

            foreach ((BufferBudget budget, BudgetModel model) in _budgets)
            {
                Assert.InRange(budget.InUse, 0, budget.Limit);
                Assert.Equal(
                    (model.InUse, model.Waiting, model.Refused), (budget.InUse, budget.Waiting, budget.Refused));
            }
        }

        private sealed record Waiting(int Index, BudgetModel.Request Request, Task Task, CancellationTokenSource Source);
    }
}

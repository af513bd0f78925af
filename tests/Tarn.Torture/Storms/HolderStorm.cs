using Tarn.Torture.Findings;

namespace Tarn.Torture.Storms;

/// <summary>
/// Clients that each fill a stream of one budget tree, and wait for more with what they have: slow ones, ones that leave in the middle, and
/// ones without a token or a timeout. Together they want much more than there is. Every client ends, and everything comes back.
/// </summary>
#pragma warning disable CA1001 // Run disposes the heap
internal sealed class HolderStorm
#pragma warning restore CA1001
{
    private readonly int _seed;
    private readonly BufferBudget _root;
    private readonly BufferBudget[] _budgets;
    private readonly NativeHeap _heap = new(new NativeHeapOptions { Checks = BufferChecks.None });
    private int _finished;
    private int _refused;
    private int _left;

    /// <param name="seed">The limits and each client's random numbers come of it.</param>
    internal HolderStorm(int seed)
    {
        _seed = seed;
        Random random = new(seed);
        _root = new BufferBudget(random.Next(50_000, 500_000), "holders");
        BufferBudget child = _root.CreateChild(random.Next(30_000, 300_000), "holders' child");
        _budgets = [_root, child, child.CreateChild(random.Next(30_000, 300_000), "holders' grandchild")];
    }

    /// <summary>Clients that wrote all they had.</summary>
    internal int Finished => _finished;

    /// <summary>Clients that the budget refused.</summary>
    internal int Refused => _refused;

    /// <summary>Clients that went away before.</summary>
    internal int Left => _left;

    /// <summary>Runs some clients at once.</summary>
    /// <exception cref="FindingException">A client has not ended, or something is still in use.</exception>
    internal void Run(int clients)
    {
        try
        {
            Task[] all = [.. Enumerable.Range(0, clients).Select(i => Start(new Random(_seed + i)))];
            Require.Eventually(
                () => Array.TrueForAll(all, static task => task.IsCompleted),
                $"every client of the budgets ends (seed {_seed}, {_root.InUse} of {_root.Limit} in use, "
                + $"{_budgets.Sum(static budget => budget.Waiting)} wait at first)");
            Task.WaitAll(all);
            Require.Eventually(
                () => Array.TrueForAll(_budgets, static budget => budget is { InUse: 0, Waiting: 0 }),
                $"no client holds bytes or waits when all have ended (seed {_seed})");
        }
        finally
        {
            _heap.Dispose();
        }
    }

    private Task Start(Random random) => random.Next(3) == 0
        ? Task.Factory.StartNew(() => LiveAsync(random, blocks: true).GetAwaiter().GetResult(), TaskCreationOptions.LongRunning)
        : Task.Run(() => LiveAsync(random, blocks: false));

    private async Task LiveAsync(Random random, bool blocks)
    {
        using CancellationTokenSource leaving = new();
        int way = random.Next(5);
        PooledMemoryStream stream = new(new PooledMemoryStreamOptions
        {
            Budget = _budgets[random.Next(_budgets.Length)],
            BudgetTimeout = blocks ? Timeout.InfiniteTimeSpan : TimeSpan.Zero,
            BudgetCancellationToken = way == 0 ? leaving.Token : default,
            Heap = random.Next(4) == 0 ? _heap : null,
        });
        using Timer? timer = way > 2 ? null : new Timer(
            _ => Leave(way, leaving, stream), null, random.Next(20), Timeout.Infinite);
        try
        {
            await FillAsync(random, stream, blocks, way == 1 ? leaving.Token : default).ConfigureAwait(false);
            Interlocked.Increment(ref _finished);
        }
        catch (BufferBudgetExceededException)
        {
            Interlocked.Increment(ref _refused);
        }
        catch (Exception e) when (way <= 2 && e is OperationCanceledException or ObjectDisposedException)
        {
            Interlocked.Increment(ref _left);
        }
        finally
        {
            await stream.DisposeAsync().ConfigureAwait(false);
        }
    }

    private static async Task FillAsync(Random random, PooledMemoryStream stream, bool blocks, CancellationToken cancellation)
    {
        byte[] part = new byte[random.Next(1, 20_000)];
        for (int parts = random.Next(1, 40); parts > 0; parts--)
        {
            switch (blocks ? 0 : random.Next(3))
            {
                case 0 when blocks:
                    stream.Write(part);
                    break;
                case 0:
                    await stream.CopyFromAsync(new MemoryStream(part), cancellation).ConfigureAwait(false);
                    break;
                default:
                    await stream.WriteAsync(part, cancellation).ConfigureAwait(false);
                    break;
            }

            if (random.Next(4) == 0)
            {
                await Task.Yield();
            }
        }
    }

    private static void Leave(int way, CancellationTokenSource leaving, PooledMemoryStream stream)
    {
        if (way == 2)
        {
            stream.Dispose();
            return;
        }

        try
        {
            leaving.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The client has ended.
        }
    }
}

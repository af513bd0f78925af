using System.Buffers;
using System.Runtime.CompilerServices;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Storms;

/// <summary>
/// Threads that take bytes from a tree of budgets in every way, hold them, and give them back. Each counts what it holds by itself, after
/// the grant and until just before the return: that sum is never above a limit.
/// </summary>
internal sealed class BudgetStorm
{
    private const int MostHeld = 6;

    private readonly Node[] _nodes;
    private readonly BufferPool<byte> _leased = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
    private readonly BufferPool<byte> _pool;
    private readonly StressThreads _threads;
    private readonly int _seed;
    private long _grants;
    private long _refusals;
    private long _dropped;
    private long _looks;

    /// <param name="seed">The limits and each thread's random numbers come of it.</param>
    /// <param name="threads">The threads that live at the same time.</param>
    /// <param name="duration">How long they take and return.</param>
    internal BudgetStorm(int seed, int threads, TimeSpan duration)
    {
        _seed = seed;
        Random random = new(seed);
        Node root = new(new BufferBudget(random.Next(20_000, 2_000_000), "root"), parent: null);
        Node[] tenants = [.. Enumerable.Range(0, 3).Select(_ => root.CreateChild(random))];
        _nodes = [root, .. tenants, tenants[0].CreateChild(random)];
        _pool = BufferPool<byte>.Create(new BufferPoolOptions
        {
            Checks = BufferChecks.None,
            Budget = tenants[1].Budget,
            BudgetTimeout = TimeSpan.FromMilliseconds(random.Next(3)),
        });
        _threads = new StressThreads(threads, duration);
    }

    internal long Grants => Volatile.Read(ref _grants);

    internal long Refusals => Volatile.Read(ref _refusals);

    internal long Dropped => Volatile.Read(ref _dropped);

    internal long Looks => Volatile.Read(ref _looks);

    /// <exception cref="InvalidOperationException">A budget was above its limit, or bytes are in use in the end.</exception>
    internal void Run()
    {
        NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None, Budget = _nodes[2].Budget });
        try
        {
            _threads.Run(_seed, (random, steps) => Live(random, steps, heap), [Look], VerifyEnd);
        }
        finally
        {
            heap.Dispose();
        }
    }

    private void Live(Random random, int steps, NativeHeap heap)
    {
        Stack<Action> held = new();
        try
        {
            for (int step = 0; step < steps && (step == 0 || !_threads.IsOver); step++)
            {
                if (held.Count > 0 && (held.Count == MostHeld || random.Next(2) == 0))
                {
                    held.Pop()();
                }
                else if (TryTake(random, heap) is { } giveBack)
                {
                    held.Push(giveBack);
                    Interlocked.Increment(ref _grants);
                }
                else
                {
                    Interlocked.Increment(ref _refusals);
                }
            }
        }
        finally
        {
            foreach (Action giveBack in held)
            {
                giveBack();
            }
        }
    }

    /// <summary>Takes bytes in one way. Returns how to give them back; null if they were refused.</summary>
    private Action? TryTake(Random random, NativeHeap heap)
    {
        Node node = _nodes[random.Next(_nodes.Length)];
        int bytes = (int)Math.Min(1 << random.Next(17), node.Budget.Limit);
        try
        {
            return random.Next(8) switch
            {
                0 => node.Budget.TryTake(bytes) ? TakenByHand(node, bytes) : null,
                1 => TakeAndThrow(node, bytes),
                2 => Wait(node.Budget.TakeAsync(bytes, WaitTime(random))) ? TakenByHand(node, bytes) : null,
                3 => Lease(random, node, node.Budget.TryLeaseMemory(_leased, bytes), bytes),
                4 => WaitForLease(random, node, bytes),
                5 => Rent(bytes),
                6 => node.Budget.TryTake(bytes, WaitTime(random)) ? TakenByHand(node, bytes) : null,
                _ => Allocate(heap, bytes),
            };
        }
        catch (Exception e) when (e is BufferBudgetExceededException or OperationCanceledException)
        {
            return null;
        }
    }

    private static Action TakeAndThrow(Node node, int bytes)
    {
        node.Budget.Take(bytes);
        return TakenByHand(node, bytes);
    }

    private static Action TakenByHand(Node node, int bytes)
    {
        node.Hold(bytes);
        return () =>
        {
            node.LetGo(bytes);
            node.Budget.Return(bytes);
        };
    }

    private Action? WaitForLease(Random random, Node node, int bytes)
    {
        using CancellationTokenSource cancellation = new(WaitTime(random));
        Task<IMemoryOwner<byte>> lease = node.Budget.LeaseMemoryAsync(_leased, bytes, cancellation.Token).AsTask();
        return Lease(random, node, lease.GetAwaiter().GetResult(), bytes);
    }

    private Action? Lease(Random random, Node node, IMemoryOwner<byte>? owner, int bytes)
    {
        if (owner is null)
        {
            return null;
        }

        node.Hold(bytes);
        owner.Memory.Span[^1] = 1;
        bool drops = random.Next(50) == 0;
        return () =>
        {
            node.LetGo(bytes);
            if (drops)
            {
                Interlocked.Increment(ref _dropped);
                return;
            }

            owner.Dispose();
            owner.Dispose();
        };
    }

    private Action Rent(int bytes)
    {
        byte[] array = _pool.Rent(bytes);
        Node node = _nodes[2];
        node.Hold(array.Length);
        return () =>
        {
            node.LetGo(array.Length);
            _pool.Return(array);
        };
    }

    private unsafe Action Allocate(NativeHeap heap, int bytes)
    {
        nint block = (nint)heap.Allocate((nuint)bytes);
        int size = (int)heap.GetUsableSize((void*)block);
        Node node = _nodes[2];
        node.Hold(size);
        return () =>
        {
            node.LetGo(size);
            heap.Free((void*)block, (nuint)bytes);
        };
    }

    private static bool Wait(ValueTask wait)
    {
        wait.AsTask().GetAwaiter().GetResult();
        return true;
    }

    private static TimeSpan WaitTime(Random random) => TimeSpan.FromMilliseconds(random.Next(1, 20));

    private void Look()
    {
        for (int look = 0; look < 1000; look++)
        {
            foreach (Node node in _nodes)
            {
                long inUse = node.Budget.InUse;
                Require.That(inUse <= node.Budget.Limit, $"A budget of {node.Budget.Limit} bytes has {inUse} in use.");
            }
        }

        Interlocked.Add(ref _looks, 1000);
    }

    /// <summary>Nothing is in use, also of leases that were dropped, nobody waits, and each budget grants all it has.</summary>
    private void VerifyEnd()
    {
        Require.Eventually(
            () =>
            {
                CollectDropped();
                return Array.TrueForAll(_nodes, static node => node.Budget is { InUse: 0, Waiting: 0 });
            },
            "no budget has bytes in use or requests that wait, when all were returned");
        foreach (Node node in _nodes)
        {
            long most = node.Budget.Limit;
            for (BufferBudget? parent = node.Budget.Parent; parent is not null; parent = parent.Parent)
            {
                most = Math.Min(most, parent.Limit);
            }

            Require.That(node.Budget.TryTake(most), $"A budget of {most} bytes with nothing in use does not grant them.");
            node.Budget.Return(most);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CollectDropped()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    /// <summary>A budget, and the bytes that threads hold of it by their own count.</summary>
    private sealed class Node(BufferBudget budget, Node? parent)
    {
        private long _held;

        internal BufferBudget Budget { get; } = budget;

        internal Node CreateChild(Random random) => new(Budget.CreateChild(random.Next(5_000, 1_000_000)), this);

        internal void Hold(long bytes)
        {
            for (Node? node = this; node is not null; node = node.Parent)
            {
                long held = Interlocked.Add(ref node._held, bytes);
                Require.That(held <= node.Budget.Limit, $"Threads hold {held} bytes of a budget of {node.Budget.Limit}.");
            }
        }

        internal void LetGo(long bytes)
        {
            for (Node? node = this; node is not null; node = node.Parent)
            {
                Interlocked.Add(ref node._held, -bytes);
            }
        }

        private Node? Parent { get; } = parent;
    }
}

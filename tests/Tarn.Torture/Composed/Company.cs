using System.Globalization;
using Tarn.Torture.Doubles;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed;

/// <summary>
/// What the owners of a program share: budgets above each other, a pool, a heap, and who listens. It makes the steps, and compares the
/// budgets with their models after each.
/// </summary>
internal sealed partial class Company
{
    internal const int MostBudgets = 3;

    private const int RefusesEvery = 5;
    private const int Requests = 4;

    private readonly List<BudgetNode> _nodes = [];
    private readonly SortedDictionary<int, Owner> _owners = [];
    private readonly Dictionary<Owner, OwnerKind> _kinds = [];
    private readonly IReadOnlyList<OwnerKind> _enabled;
    private readonly FailingMemory? _system;
    private readonly List<BufferPool<byte>> _pools = [];
    private readonly Dictionary<BufferPool<byte>, (long Bytes, int Count)> _lost = [];
    private readonly List<string> _lines = [];
    private readonly TimeSpan _patience;
    private byte _stamp;
    private int _memoryCalls;

    internal Company(CompanySettings settings, TimeSpan patience)
    {
        Settings = settings;
        _patience = patience;
        _enabled = OwnerKinds.Enabled(settings.Kinds);
        long limit = settings.Limit;
        for (int level = 0; level < settings.Levels; level++)
        {
            string name = string.Create(CultureInfo.InvariantCulture, $"budget {level}");
            BudgetNode? above = _nodes.LastOrDefault();
            BufferBudget budget = above is null ? new BufferBudget(limit, name) : above.Budget.CreateChild(limit, name);
            _nodes.Add(new BudgetNode(level, budget, new BudgetModel(limit, above?.Model)));
            limit = limit / 4 * 3;
        }

        Heard = settings.Listens ? new HeardBuffers() : null;
        Pool = CreatePool("composed pool", PoolNode);
        Plain = CreatePool("composed plain pool", budget: null);
        if (settings.RefusesMemory)
        {
            _system = new FailingMemory();
            _system.Refuse(() => Interlocked.Increment(ref _memoryCalls) % RefusesEvery == 0);
        }

        Heap = new NativeHeap(new NativeHeapOptions
        {
            Name = "composed heap",
            Checks = settings.Checks,
            Budget = HeapNode?.Budget,
            BudgetTimeout = TimeoutFor(HeapNode),
            ClearOnFree = settings.Clears,
            Memory = _system,
        });
        Heard?.Follow(Heap, "the heap");
    }

    internal CompanySettings Settings { get; }

    /// <summary>The pool, with the budget of pools.</summary>
    internal BufferPool<byte> Pool { get; }

    /// <summary>A pool without a budget.</summary>
    internal BufferPool<byte> Plain { get; }

    internal NativeHeap Heap { get; }

    internal BudgetNode? PoolNode => NodeAt(Settings.PoolBudget);

    internal BudgetNode? HeapNode => NodeAt(Settings.HeapBudget);

    internal BudgetNode? StreamNode => NodeAt(Settings.StreamBudget);

    internal IReadOnlyList<BudgetNode> Nodes => _nodes;

    internal HeardBuffers? Heard { get; }

    /// <summary>The steps that were made, as a reader understands them.</summary>
    internal IReadOnlyList<string> Lines => _lines;

    /// <summary>Whether owners may be dropped: with checks that is a leak, and beside waits it is not known who gets the bytes.</summary>
    internal bool MayDrop => !IsChecked && _waits.Count == 0;

    internal bool IsChecked => Settings.Checks != BufferChecks.None;

    /// <summary>A pool of the company's options.</summary>
    internal BufferPool<byte> CreatePool(string name, BudgetNode? budget)
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions
        {
            Name = name,
            Checks = Settings.Checks,
            Budget = budget?.Budget,
            BudgetTimeout = TimeoutFor(budget),
            Clearing = Settings.Clears ? BufferClearing.OnReturn : BufferClearing.OnRequest,
        });
        _pools.Add(pool);
        Heard?.Follow(pool, name);
        return pool;
    }

    internal TimeSpan TimeoutFor(BudgetNode? node) => Settings.Blocks && node is not null ? TimeSpan.FromMilliseconds(1) : TimeSpan.Zero;

    /// <summary>Bytes that no other call gets, so that a byte of another owner is seen.</summary>
    internal byte[] NextBytes(int length)
    {
        byte[] bytes = new byte[length];
        _stamp += 37;
        for (int i = 0; i < length; i++)
        {
            bytes[i] = (byte)(_stamp + (i * 7));
        }

        return bytes;
    }

    /// <summary>The bytes that a block of the heap takes from its budget.</summary>
    internal long HeapCharge(long size, long alignment = 1)
    {
        size = Math.Max(size, 1);
        return IsChecked ? size : (long)NativeHeap.GetBlockSize((nuint)((size + alignment - 1) / alignment * alignment));
    }

    /// <summary>The owner of a number if it can be handed over: it has not ended, waits for nothing, and is of a type.</summary>
    internal TOwner? Find<TOwner>(int number)
        where TOwner : Owner =>
        _owners.GetValueOrDefault(number) is TOwner { IsOver: false, Waiting: null } owner ? owner : null;

    /// <summary>Makes a step. Comparing is the caller's.</summary>
    internal void Make(Step step)
    {
        if (Settings.TakesUntold && _nodes[0].Budget.InUse == 0)
        {
            _nodes[0].Budget.Take(1);
        }

        Owner? owner = _owners.GetValueOrDefault(step.Owner);
        switch (step.Act)
        {
            case Act.Create when owner is null:
                OwnerKind kind = _enabled[step.Choice % _enabled.Count];
                Note(step, $"= {kind.Name}");
                Add(kind, step.Owner, () => kind.Create(this, step));
                break;
            case Act.Call when owner is { IsOver: true }:
                CallAfterEnd(owner);
                break;
            case Act.Call when owner is { Waiting: null }:
                OwnerCall call = _kinds[owner].Calls[step.Choice % _kinds[owner].Calls.Count];
                Note(step, $".{call.Name}");
                call.Make(owner, step);
                break;
            case Act.End when owner is { IsOver: true }:
                Note(step, ": disposed again");
                owner.DisposeAgain();
                break;
            case Act.End when owner is not null:
                OwnerCall ending = _kinds[owner].Endings[step.Choice % _kinds[owner].Endings.Count];
                Note(step, $": {ending.Name}");
                End(owner, () => ending.Make(owner, step));
                break;
            case Act.Cancel when _waits.Count > 0:
                Cancel(_waits[step.Choice % _waits.Count]);
                break;
            case Act.EndRequest:
                EndRequest(step.Choice % Requests);
                break;
            case Act.Trim:
                _lines.Add("trim");
                _pools.ForEach(static pool => pool.Trim());
                Heap.Trim();
                break;
            default:
                break;
        }
    }

    /// <summary>Adds an owner that a call brought, such as what a writer detached.</summary>
    internal Owner? Add(OwnerKind kind, int number, Func<Owner?> create)
    {
        Owner? owner = null;
        if (Try(() => owner = create()) && owner is not null)
        {
            owner.Number = number;
            _owners.Add(number, owner);
            _kinds.Add(owner, kind);
            owner.Begin();
        }

        return owner;
    }

    /// <summary>An array was dropped without a return, and its pool counts it as in use for ever.</summary>
    internal void NoteLost(BufferPool<byte> pool, int length)
    {
        (long bytes, int count) = _lost.GetValueOrDefault(pool);
        _lost[pool] = (bytes + length, count + 1);
        Heard?.NoteLost(pool, length);
    }

    /// <summary>Another owner has taken it over: it holds nothing more, and ends with that one.</summary>
    internal void HandOver(Owner owner, Owner to)
    {
        owner.IsOver = true;
        _owners.Remove(owner.Number);
        Move(owner, owner.Charged, to);
    }

    /// <summary>Bytes that one owner held are another's.</summary>
    internal static void Move(Owner from, long[] held, Owner to)
    {
        for (int index = 0; index < MostBudgets; index++)
        {
            (long bytes, to.Charged[index]) = (held[index], to.Charged[index] + held[index]);
            from.Charged[index] -= bytes;
        }
    }

    /// <summary>Collects until what was dropped is finalized.</summary>
    internal static void CollectUntil(Func<bool> isFinalized) => Require.Eventually(
        () =>
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            return isFinalized();
        },
        "what was dropped is finalized, and its bytes are back");

    /// <summary>Whether a number is free, for an owner that a call is about to bring.</summary>
    internal bool IsFree(int number) => !_owners.ContainsKey(number);

    /// <summary>Makes a call that may be refused: by a budget that has no room in the model either, or by a system that refuses.</summary>
    /// <param name="call">The call.</param>
    /// <param name="inPieces">Whether it takes memory several times, so that it may be refused with a part of it taken.</param>
    internal bool Try(Action call, bool inPieces = false)
    {
        try
        {
            call();
            return true;
        }
        catch (BufferBudgetExceededException e)
        {
            VerifyRefusal(e, inPieces);
            _lines.Add("  refused by the budget");
            return false;
        }
        catch (OutOfMemoryException) when (_system is not null)
        {
            _lines.Add("  refused by the system");
            return false;
        }
    }

    /// <summary>A call that must throw, and change nothing.</summary>
    internal static void Refuses<TException>(string what, Action call)
        where TException : Exception
    {
        try
        {
            call();
        }
        catch (TException)
        {
            return;
        }
        catch (Exception e) when (e is not (FindingException or BufferBudgetExceededException or OutOfMemoryException))
        {
            throw new FindingException($"{what} threw {e.GetType().Name}, and must throw {typeof(TException).Name}: {e.Message}", e);
        }

        throw new FindingException($"{what} threw nothing, and must throw {typeof(TException).Name}.");
    }

    /// <summary>Misuse that must be refused, and change nothing; which exception says so depends on what finds it.</summary>
    internal static void RefusesMisuse(string what, Action call) =>
        Refuses<SystemException>(what, () =>
        {
            try
            {
                call();
            }
            catch (Exception e) when (e is ArgumentException or InvalidOperationException)
            {
                throw new SystemException(e.Message, e);
            }
        });

    private BudgetNode? NodeAt(int index) => index < 0 ? null : _nodes[Math.Min(index, _nodes.Count - 1)];

    private void Note(Step step, string what) => _lines.Add(string.Create(
        CultureInfo.InvariantCulture, $"#{step.Owner} {what} ({step.Number}, #{step.Other})"));

    private void VerifyRefusal(BufferBudgetExceededException e, bool inPieces)
    {
        BudgetNode? node = _nodes.Find(node => node.Budget.Name == e.BudgetName);
        Require.That(node is not null, $"The budget \"{e.BudgetName}\" refused, which is none of the company's.");
        Require.That(
            !node.Model.FitsHere(e.Asked) || (inPieces && e.InUse + e.Asked > e.Limit),
            $"{node} refused {e.Asked} bytes, and has room for them: {node.Model.InUse} of {node.Model.Limit} are in use, nobody waits.");
    }

    private static void CallAfterEnd(Owner owner)
    {
        foreach ((string call, Action make) in owner.CallsWhenOver)
        {
            Refuses<ObjectDisposedException>($"#{owner.Number}.{call} after the end", make);
        }
    }

    private void EndRequest(int request)
    {
        _lines.Add($"request {request} ends");
        foreach (Owner owner in _owners.Values.Where(owner => !owner.IsOver && owner.Number % Requests == request).ToArray())
        {
            if (!owner.IsOver)
            {
                // What it returns may be granted to the next one, which then has it.
                End(owner, owner.Dispose);
                Settle();
            }
        }
    }
}

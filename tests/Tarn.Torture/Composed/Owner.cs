namespace Tarn.Torture.Composed;

/// <summary>An owner of buffers beside its model: what must be in it, and the bytes that it must hold of each budget.</summary>
internal abstract class Owner(Company company)
{
    internal Company Company => company;

    /// <summary>The number by which steps name it.</summary>
    internal int Number { get; set; }

    /// <summary>It has given everything back, or was handed over to another.</summary>
    internal bool IsOver { get; set; }

    /// <summary>What it waits for; null for nothing.</summary>
    internal WaitingCall? Waiting { get; set; }

    /// <summary>The bytes that the models count as its own, by the budget's index.</summary>
    internal long[] Charged { get; } = new long[Company.MostBudgets];

    /// <summary>Whether nobody else can make it give bytes back while it waits, as a pipe's reader can.</summary>
    internal virtual bool KeepsWhileWaiting => true;

    /// <summary>Called when it has its number: from here on it may wait.</summary>
    internal virtual void Begin()
    {
    }

    /// <summary>Its wait ended without a grant.</summary>
    internal virtual void OnWaitEnded()
    {
    }

    /// <summary>Adds the bytes that it must hold now of the budgets. What has ended holds none.</summary>
    internal abstract void Charge(long[] held);

    /// <summary>Compares its contents with those that it must have.</summary>
    internal abstract void Verify();

    /// <summary>Ends it in the usual way. Also while it waits.</summary>
    internal abstract void Dispose();

    /// <summary>Calls on an owner that has ended, each of which throws <see cref="ObjectDisposedException"/>.</summary>
    internal virtual IEnumerable<(string Call, Action Make)> CallsWhenOver => [];

    /// <summary>Disposes it again, if that is allowed: it does nothing.</summary>
    internal virtual void DisposeAgain() => Dispose();

    protected static void Add(long[] held, BudgetNode? node, long bytes)
    {
        if (node is not null)
        {
            held[node.Index] += bytes;
        }
    }

    /// <summary>Adds the bytes that another owner held and that went over.</summary>
    protected static void AddAll(long[] held, long[] more)
    {
        for (int index = 0; index < held.Length; index++)
        {
            held[index] += more[index];
        }
    }
}

namespace Tarn.Torture.Composed;

/// <summary>A budget as its documentation describes it, in lists that are searched again after every step.</summary>
internal sealed class BudgetModel(long limit, BudgetModel? parent)
{
    private readonly List<Request> _queue = [];

    internal long Limit => limit;

    internal long InUse { get; private set; }

    internal int Waiting { get; private set; }

    internal long Refused { get; set; }

    /// <summary>Whether a request gets its bytes at once: there is room, and nobody waits, here and at all parents.</summary>
    internal bool Fits(long bytes) => bytes <= 0 || Path.All(node => node._queue.Count == 0 && node.InUse + bytes <= node.Limit);

    /// <summary>The requests that wait here, in the order in which they came.</summary>
    internal IReadOnlyList<Request> Queue => _queue;

    /// <summary>Grants a request past those before it.</summary>
    internal void GrantPast(Request request)
    {
        for (BudgetModel? node = request.At; node is not null; node = node.Parent)
        {
            node._queue.Remove(request);
            node.InUse += request.Bytes;
        }

        request.IsGranted = true;
        request.At = null;
        request.Budget.Waiting--;
        SettleAll();
    }

    internal BudgetModel? Parent => parent;

    /// <summary>Whether this budget alone has room, and nobody waits at it.</summary>
    internal bool FitsHere(long bytes) => _queue.Count == 0 && InUse + bytes <= limit;

    internal bool TryTake(long bytes)
    {
        if (!Fits(bytes))
        {
            Refused++;
            return false;
        }

        foreach (BudgetModel node in Path)
        {
            node.InUse += bytes;
        }

        return true;
    }

    /// <summary>Makes a request; null if it is above a limit.</summary>
    internal Request? Ask(long bytes)
    {
        if (Path.Any(node => bytes > node.Limit))
        {
            Refused++;
            return null;
        }

        Request request = new(this, bytes);
        Waiting++;
        _queue.Add(request);
        request.At = this;
        SettleAll();
        return request;
    }

    internal void Withdraw(Request request)
    {
        foreach (BudgetModel node in Path)
        {
            if (node._queue.Remove(request))
            {
                break;
            }

            node.InUse -= request.Bytes;
        }

        request.At = null;

        Waiting--;
        SettleAll();
    }

    internal void Return(long bytes)
    {
        foreach (BudgetModel node in Path)
        {
            node.InUse -= bytes;
        }

        SettleAll();
    }

    private IEnumerable<BudgetModel> Path => parent is null ? [this] : parent.Path.Prepend(this);

    /// <summary>From here upwards, the first of each queue goes on while it fits, until nothing changes.</summary>
    private void SettleAll()
    {
        bool hasChanged;
        do
        {
            hasChanged = false;
            foreach (BudgetModel node in Path)
            {
                while (node._queue.Count > 0 && node.InUse + node._queue[0].Bytes <= node.Limit)
                {
                    Request first = node._queue[0];
                    node._queue.RemoveAt(0);
                    node.InUse += first.Bytes;
                    node.PassOn(first);
                    hasChanged = true;
                }
            }
        }
        while (hasChanged);
    }

    private void PassOn(Request request)
    {
        if (parent is null)
        {
            request.IsGranted = true;
            request.At = null;
            request.Budget.Waiting--;
        }
        else
        {
            parent._queue.Add(request);
            request.At = parent;
        }
    }

    internal sealed class Request(BudgetModel budget, long bytes)
    {
        internal BudgetModel Budget => budget;

        internal long Bytes => bytes;

        /// <summary>The budget in whose queue it is; null when it waits no more.</summary>
        internal BudgetModel? At { get; set; }

        internal bool IsGranted { get; set; }
    }
}

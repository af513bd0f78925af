namespace Tarn.Tests.Model;

/// <summary>A budget as its documentation describes it, in lists that are searched again after every step.</summary>
internal sealed class BudgetModel(long limit, BudgetModel? parent)
{
    private readonly List<Request> _queue = [];

    internal long Limit => limit;

    internal long InUse { get; private set; }

    internal int Waiting { get; private set; }

    internal long Refused { get; set; }

    internal bool TryTake(long bytes)
    {
        if (bytes > 0 && Path.Any(node => node._queue.Count > 0 || node.InUse + bytes > node.Limit))
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
            request.Budget.Waiting--;
        }
        else
        {
            parent._queue.Add(request);
        }
    }

    internal sealed class Request(BudgetModel budget, long bytes)
    {
        internal BudgetModel Budget => budget;

        internal long Bytes => bytes;

        internal bool IsGranted { get; set; }
    }
}

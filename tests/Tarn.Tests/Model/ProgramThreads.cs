using Tarn.Tests.Support;

namespace Tarn.Tests.Model;

/// <summary>
/// The threads of a random program. They take turns, so the program's expectations are exact. They end and start at random.
/// </summary>
internal sealed class ProgramThreads(Random random) : IDisposable
{
    private readonly List<Worker> _workers = [new(), new(), new()];
    private readonly List<Worker> _replaced = [];

    /// <summary>Runs <paramref name="action"/> on one of them, or on the calling thread.</summary>
    internal void OnAny(Action action)
    {
        int thread = random.Next(_workers.Count + 1);
        if (thread == _workers.Count)
        {
            action();
        }
        else
        {
            _workers[thread].Run(action);
        }
    }

    /// <summary>
    /// Puts a new thread in the place of one. That one may be the caller and cannot end itself: <see cref="EndReplaced"/> ends it.
    /// </summary>
    internal void ReplaceOne()
    {
        int index = random.Next(_workers.Count);
        _replaced.Add(_workers[index]);
        _workers[index] = new Worker();
    }

    /// <summary>Called between two steps.</summary>
    internal void EndReplaced() => End(_replaced);

    /// <summary>Ends all of them; from here on only the calling thread is left.</summary>
    public void Dispose()
    {
        End(_replaced);
        End(_workers);
    }

    private static void End(List<Worker> workers)
    {
        workers.ForEach(static worker => worker.Dispose());
        workers.Clear();
    }
}

using System.Diagnostics.Tracing;

namespace Tarn.TestChild;

/// <summary>
/// Gives buffers back while the collector's heap is full, in each way that takes a different path. Writes a line for each: the exception,
/// or that all buffers came back. Arguments: a seed, and the number of rounds.
/// </summary>
/// <remarks>Each way first runs once with memory, because the test is not about the memory that the runtime needs to load code.</remarks>
internal static class ReturnsWithoutMemory
{
    /// <summary>Leaves enough memory for some of the calls that need little.</summary>
    private const int MostSlack = 4096;

    internal static void Run(string[] arguments)
    {
        Random random = new(int.Parse(arguments[0]));
        int rounds = int.Parse(arguments[1]);
        using SilentListener listener = new();
        foreach (GivingBack way in WaysToGiveBack.All)
        {
            listener.Listen(way.IsListenedTo);
            string outcome = RunOnce(way, slack: -1);
            for (int round = 0; round < rounds && outcome == "held"; round++)
            {
                outcome = RunOnce(way, round % 2 == 0 ? 0 : random.Next(MostSlack));
            }

            Console.WriteLine($"{way.Name}: {outcome}");
        }
    }

    private static string RunOnce(GivingBack way, int slack)
    {
        (Action[] calls, Action verify) = way.Prepare();
        Exception? thrown = null;
        int done = 0;
        Worker worker = new();
        worker.Start();
        Action all = () =>
        {
            for (; done < calls.Length; done++)
            {
                try
                {
                    calls[done]();
                }
#pragma warning disable CA1031 // any exception is the finding
                catch (Exception e)
#pragma warning restore CA1031
                {
                    thrown ??= e;
                }
            }
        };
        if (slack >= 0)
        {
            FullManagedHeap.Fill(slack);
        }

        if (way.IsOnOtherThread)
        {
            worker.Run(all);
        }
        else
        {
            all();
        }

        FullManagedHeap.Empty();
        worker.End();
        try
        {
            verify();
        }
        catch (InvalidOperationException e)
        {
            thrown ??= e;
        }

        return thrown is null ? "held" : $"with {slack} bytes left: {thrown}".ReplaceLineEndings(" ");
    }

    /// <summary>A thread that waits for work and needs no memory to receive it.</summary>
    private sealed class Worker
    {
        private readonly Thread _thread;
        private Action? _work;
        private volatile bool _isStarted;
        private volatile bool _ends;

        internal Worker() => _thread = new Thread(Loop) { IsBackground = true };

        internal void Start()
        {
            _thread.Start();
            SpinUntil(static worker => worker._isStarted);
        }

        internal void Run(Action work)
        {
            Volatile.Write(ref _work, work);
            SpinUntil(static worker => Volatile.Read(ref worker._work) is null);
        }

        internal void End()
        {
            _ends = true;
            _thread.Join();
        }

        private void SpinUntil(Func<Worker, bool> holds)
        {
            while (!holds(this))
            {
                Thread.Yield();
            }
        }

        private void Loop()
        {
            _isStarted = true;
            while (!_ends)
            {
                if (Volatile.Read(ref _work) is { } work)
                {
                    work();
                    Volatile.Write(ref _work, null);
                }

                Thread.Yield();
            }
        }
    }

    private sealed class SilentListener : EventListener
    {
        private EventSource? _source;

        internal void Listen(bool listens)
        {
            if (_source is null)
            {
                return;
            }

            if (listens)
            {
                EnableEvents(_source, EventLevel.Verbose);
            }
            else
            {
                DisableEvents(_source);
            }
        }

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == BufferDiagnostics.EventSourceName)
            {
                _source = eventSource;
            }
        }
    }
}

using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace Tarn.Tests.Support;

/// <summary>A thread that runs one action at a time while the caller waits. It ends when disposed.</summary>
internal sealed class Worker : IDisposable
{
    private readonly SemaphoreSlim _asked = new(0);
    private readonly SemaphoreSlim _done = new(0);
    private readonly Thread _thread;
    private Action? _action;
    private Exception? _failure;

    internal Worker()
    {
        _thread = new Thread(Work) { IsBackground = true, Name = nameof(Worker) };
        _thread.Start();
    }

    /// <summary>Runs <paramref name="action"/> on a thread that has ended when this returns.</summary>
    internal static void RunOnce(Action action)
    {
        using Worker worker = new();
        worker.Run(action);
    }

    internal void Run(Action action) => TryRun(action, Timeout.InfiniteTimeSpan);

    /// <summary>Returns false if the action still runs after <paramref name="limit"/>. Then the worker runs no other.</summary>
    internal bool TryRun(Action action, TimeSpan limit)
    {
        _action = action;
        _asked.Release();
        if (!_done.Wait(limit))
        {
            return false;
        }

        if (_failure is { } failure)
        {
            _failure = null;
            ExceptionDispatchInfo.Throw(failure);
        }

        return true;
    }

    internal T Run<T>(Func<T> function)
    {
        T result = default!;
        Run(() => { result = function(); });
        return result;
    }

    public void Dispose()
    {
        _action = null;
        _asked.Release();
        _thread.Join();
        _asked.Dispose();
        _done.Dispose();
    }

    private void Work()
    {
        while (true)
        {
            _asked.Wait();
            if (_action is null)
            {
                return;
            }

            Act();
            _done.Release();
        }
    }

    /// <summary>A separate method: tests check which objects are collected, so no local of this thread may keep any.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Act()
    {
        try
        {
            _action!();
        }
#pragma warning disable CA1031 // the caller gets any exception
        catch (Exception e)
#pragma warning restore CA1031
        {
            _failure = e;
        }

        _action = null;
    }
}

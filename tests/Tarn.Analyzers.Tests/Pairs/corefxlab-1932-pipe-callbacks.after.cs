// dotnet/corefxlab#1932 (PipeCompletion and PipeCompletionCallbacks).
// The array of callbacks and their states was returned uncleared, both when it grew and when it had been run, and so
// the pool kept the states alive. The fix clears it and rents the larger one too.
using System;
using System.Buffers;
using System.Collections.Generic;

internal struct CompletionCallback
{
    internal Action<Exception?, object?> Callback;
    internal object? State;
}

internal sealed class Completion
{
    private static readonly ArrayPool<CompletionCallback> s_pool = ArrayPool<CompletionCallback>.Shared;

    private CompletionCallback[]? _callbacks;
    private int _count;

    internal void Add(Action<Exception?, object?> callback, object? state)
    {
        _callbacks ??= s_pool.Rent(1);

        int index = _count++;
        if (index == _callbacks.Length)
        {
            CompletionCallback[] larger = s_pool.Rent(_callbacks.Length * 2);
            Array.Copy(_callbacks, larger, _callbacks.Length);
            s_pool.Return(_callbacks, clearArray: true);
            _callbacks = larger;
        }

        _callbacks[index].Callback = callback;
        _callbacks[index].State = state;
    }

    internal void Execute(Exception? error)
    {
        CompletionCallback[]? callbacks = _callbacks;
        int count = _count;
        _callbacks = null;
        _count = 0;
        if (callbacks == null)
        {
            return;
        }

        try
        {
            List<Exception>? failures = null;
            for (int i = 0; i < count; i++)
            {
                try
                {
                    callbacks[i].Callback(error, callbacks[i].State);
                }
                catch (Exception failure)
                {
                    (failures ??= new List<Exception>()).Add(failure);
                }
            }

            if (failures != null)
            {
                throw new AggregateException(failures);
            }
        }
        finally
        {
            s_pool.Return(callbacks, clearArray: true);
        }
    }
}

using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>Both counters of calls in progress: an end waits for the calls that entered, and later ones are refused.</summary>
public sealed class RunningCallsTests
{
    private RunningCalls _calls;

    [Fact]
    public void An_end_waits_for_each_call_and_refuses_later_ones()
    {
        Assert.True(_calls.TryEnter());
        Assert.True(_calls.TryEnter());
        using ManualResetEventSlim ended = new();
        Thread ending = new(() =>
        {
            _calls.End();
            ended.Set();
        });
        ending.Start();
        while (_calls.TryEnter())
        {
            _calls.Leave();
        }

        Assert.Throws<ObjectDisposedException>(() => _calls.Enter("heap").Dispose());
        _calls.Leave();
        Assert.False(ended.Wait(50));
        _calls.Leave();
        ending.Join();
        Assert.True(ended.IsSet);
        _calls.End();
    }

    [Fact]
    public void No_call_is_inside_once_an_end_has_returned()
    {
        for (int round = 0; round < (StressLength.IsLong ? 200 : 40); round++)
        {
            _calls = default;
            bool isReleased = false;
            int late = 0;
            Thread[] callers = [.. Enumerable.Range(0, 3).Select(_ => new Thread(() =>
            {
                while (_calls.TryEnter())
                {
                    Interlocked.Add(ref late, Volatile.Read(ref isReleased) ? 1 : 0);
                    _calls.Leave();
                }
            }))];
            Array.ForEach(callers, static caller => caller.Start());
            _calls.End();
            Volatile.Write(ref isReleased, true);
            Array.ForEach(callers, static caller => caller.Join());
            Assert.Equal(0, late);
        }
    }

    [Fact]
    public void Calls_to_the_system_that_began_before_the_close_are_waited_for()
    {
        SystemCalls calls = new();
        calls.Enter();
        calls.Enter();
        calls.Close();
        Assert.True(calls.HasEnded);
        Thread ending = new(calls.End);
        ending.Start();
        calls.Leave();
        Assert.False(ending.Join(50));
        calls.Leave();
        ending.Join();
    }
}

using System.Collections.Concurrent;
using Xunit;
using Xunit.Abstractions;

namespace Tarn.TestRun;

/// <summary>Counts the tests as they end, and prints those that fail. All members are safe to call from any thread.</summary>
internal sealed class RunCount : LongLivedMarshalByRefObject, IMessageSink
{
    private readonly RunSettings _settings;
    private readonly ConcurrentDictionary<string, long> _running = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, int> _reasons = new(StringComparer.Ordinal);
    private int _passed;
    private int _failed;
    private int _skipped;

    internal RunCount(RunSettings settings)
    {
        _settings = settings;
        new Thread(WatchForHangs) { IsBackground = true, Name = "Watch" }.Start();
    }

    internal int Passed => Volatile.Read(ref _passed);

    internal int Failed => Volatile.Read(ref _failed);

    internal int Skipped => Volatile.Read(ref _skipped);

    /// <summary>Why tests were skipped, and how many for each reason.</summary>
    internal IEnumerable<KeyValuePair<string, int>> Reasons => _reasons;

    /// <inheritdoc/>
    public bool OnMessage(IMessageSinkMessage message)
    {
        switch (message)
        {
            case ITestStarting starting:
                _running[starting.Test.DisplayName] = Environment.TickCount64;
                if (_settings.Tells)
                {
                    Console.WriteLine(starting.Test.DisplayName);
                }

                break;
            case ITestPassed:
                Interlocked.Increment(ref _passed);
                break;
            case ITestFailed failed:
                Fail(failed.Test.DisplayName, failed);
                break;
            case ITestSkipped skipped:
                Interlocked.Increment(ref _skipped);
                _reasons.AddOrUpdate(skipped.Reason, 1, static (_, before) => before + 1);
                break;
            case ITestFinished finished:
                _running.TryRemove(finished.Test.DisplayName, out _);
                break;
            case IErrorMessage error:
                Fail("outside a test", error);
                break;
            case ITestAssemblyCleanupFailure cleanup:
                Fail("cleanup", cleanup);
                break;
            case ITestCollectionCleanupFailure cleanup:
                Fail(cleanup.TestCollection.DisplayName, cleanup);
                break;
            case ITestClassCleanupFailure cleanup:
                Fail(cleanup.TestClass.Class.Name, cleanup);
                break;
            default:
                break;
        }

        return true;
    }

    private void Fail(string name, IFailureInformation failure)
    {
        Interlocked.Increment(ref _failed);
        Console.WriteLine($"FAILED {name}: {failure.ExceptionTypes[0]}: {failure.Messages[0]}\n{failure.StackTraces[0]}");
    }

    private void WatchForHangs()
    {
        while (true)
        {
            Thread.Sleep(1000);
            long latest = Environment.TickCount64 - (long)_settings.Most.TotalMilliseconds;
            string[] late = [.. _running.Where(test => test.Value < latest).Select(static test => test.Key)];
            if (late.Length > 0)
            {
                Console.WriteLine($"FAILED: no end after {_settings.Most.TotalSeconds:F0} s: {string.Join(", ", late)}");
                Environment.Exit(3);
            }
        }
    }
}

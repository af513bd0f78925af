using System.Reflection;
using Xunit;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace Tarn.TestRun;

/// <summary>The tests of an assembly, found and run by xunit in this process.</summary>
internal sealed class AssemblyRun(Assembly assembly, RunSettings settings, RunCount count)
{
    internal void Run()
    {
        using XunitTestFramework framework = new(new Ignored());
        using ITestFrameworkDiscoverer discoverer = framework.GetDiscoverer(Reflector.Wrap(assembly));
        using Cases cases = new();
        discoverer.Find(includeSourceInformation: false, cases, new Options());
        cases.WaitForEnd();

        using ITestFrameworkExecutor executor = framework.GetExecutor(assembly.GetName());
        Options options = new();
        options.SetValue("xunit.execution.MaxParallelThreads", settings.Threads);
        Ending ending = new(count);
        executor.RunTests(cases.Found.Where(test => settings.Wants(NameOf(test))), ending, options);
        ending.WaitForEnd();
        ending.Dispose();
    }

    private static string NameOf(ITestCase test) => $"{test.TestMethod.TestClass.Class.Name}.{test.TestMethod.Method.Name}";

    private sealed class Ignored : LongLivedMarshalByRefObject, IMessageSink
    {
        public bool OnMessage(IMessageSinkMessage message) => true;
    }

    private sealed class Cases : LongLivedMarshalByRefObject, IMessageSink, IDisposable
    {
        private readonly ManualResetEventSlim _end = new();

        internal List<ITestCase> Found { get; } = [];

        public bool OnMessage(IMessageSinkMessage message)
        {
            if (message is ITestCaseDiscoveryMessage { TestCase: { } test })
            {
                Found.Add(test);
            }
            else if (message is IDiscoveryCompleteMessage)
            {
                _end.Set();
            }

            return true;
        }

        public void Dispose() => _end.Dispose();

        internal void WaitForEnd() => _end.Wait();
    }

    private sealed class Ending(IMessageSink inner) : LongLivedMarshalByRefObject, IMessageSink, IDisposable
    {
        private readonly ManualResetEventSlim _end = new();

        public bool OnMessage(IMessageSinkMessage message)
        {
            bool goesOn = inner.OnMessage(message);
            if (message is ITestAssemblyFinished)
            {
                _end.Set();
            }

            return goesOn;
        }

        public void Dispose() => _end.Dispose();

        internal void WaitForEnd() => _end.Wait();
    }

    private sealed class Options : ITestFrameworkDiscoveryOptions, ITestFrameworkExecutionOptions
    {
        private readonly Dictionary<string, object?> _values = [];

        public TValue GetValue<TValue>(string name) => _values.TryGetValue(name, out object? value) ? (TValue)value! : default!;

        public void SetValue<TValue>(string name, TValue value) => _values[name] = value;
    }
}
